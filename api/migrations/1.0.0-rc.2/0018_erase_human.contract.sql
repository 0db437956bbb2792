-- Only the worker erases.
revoke execute on function market.erase_human(uuid) from market_api;
