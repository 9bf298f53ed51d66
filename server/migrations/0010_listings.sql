-- Which listing a sale is: marketplace and number (`ebay:400100000001`), and what listings share that are alike in title and price.
-- Rows of older versions get theirs at the next import of sales.
ALTER TABLE sales ADD COLUMN number TEXT;
ALTER TABLE sales ADD COLUMN alike BLOB;
CREATE INDEX sales_number ON sales (number);
CREATE INDEX sales_alike ON sales (alike);
ALTER TABLE review ADD COLUMN number TEXT;
ALTER TABLE review ADD COLUMN alike BLOB;
CREATE INDEX review_number ON review (number);
CREATE INDEX review_alike ON review (alike);
