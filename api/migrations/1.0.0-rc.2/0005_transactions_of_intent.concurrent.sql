create index concurrently transactions_of_intent on facilitator.transactions (intent_id, created_at);
