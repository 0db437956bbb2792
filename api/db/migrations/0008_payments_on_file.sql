-- The facilitator's x402 interface looks payments up as the token names them: by payer and nonce.

create index intents_by_authorization on market.intents
  (lower(payload #>> '{authorization,from}'), lower(payload #>> '{authorization,nonce}'))
  where kind in ('fund', 'deposit');
