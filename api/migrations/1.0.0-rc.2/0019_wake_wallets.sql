-- A wallet that is bound, chosen or handed over is sighted soon, and not at the job's next turn.

create trigger wallets_wake_unsighted after insert or update of payout_from, handover on market.wallets
  for each row execute function market.wake_job('wallets');
