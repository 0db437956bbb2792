-- Only the worker erases. A sandbox whose owner may not create roles has none of ours.
do $$ begin
  if to_regrole('market_api') is not null then
    revoke execute on function market.erase_human(uuid) from market_api;
  end if;
end $$;
