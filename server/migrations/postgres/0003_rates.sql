-- What a unit of a currency was worth on a day, in ten-thousand-millionths of a US dollar, as its owner loaded it.
CREATE TABLE rates (currency TEXT NOT NULL, day BIGINT NOT NULL, usd BIGINT NOT NULL, PRIMARY KEY (currency, day));
