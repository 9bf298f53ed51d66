-- What a unit of a currency was worth on a day, in ten-thousand-millionths of a US dollar, as its owner loaded it.
CREATE TABLE rates (currency TEXT NOT NULL, day INTEGER NOT NULL, usd INTEGER NOT NULL, PRIMARY KEY (currency, day)) WITHOUT ROWID;
