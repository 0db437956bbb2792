-- The database of the chain's index, beside the market's. The server makes it when it is new.
create database market_index;
