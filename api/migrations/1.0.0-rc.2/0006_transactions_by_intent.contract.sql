-- The index transactions_of_intent replaces it.
drop index facilitator.transactions_by_intent;
