import { sql } from 'kysely'

const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'

// Kinds of account, and what their owners look like (docs/ledger.md).
const OWNERS = {
  escrow_contract: '^0x[0-9a-f]{40}$',
  hot_wallet: '^0x[0-9a-f]{40}$',
  cold_wallet: '^0x[0-9a-f]{40}$',
  loss: '^[a-z_]+:',
  hold: `^(0x[0-9a-f]{64}|market:order:${UUID})$`,
  claimable: '^0x[0-9a-f]{40}$',
  payable: `^market:human:${UUID}$`,
  in_transit: `^market:payout:${UUID}$`,
  fees: '^service$',
  suspense: '^(payment|transfer):0x',
}

/** The kind of an account that is none: postings open no such. */
export const MISSHAPEN = 'misshapen'

const owners = sql.join(
  Object.entries(OWNERS).map(([kind, owner]) => sql`when ${kind} then account.owner ~ ${owner}`),
  sql` `,
)

/**
 * The kind of a row of ledger.accounts (named `account`), unless its owner can be nobody of that kind, or it keeps its
 * balance otherwise than accounts of its kind do: of such a row nothing else can be asked.
 */
export const kindOfAccount = sql<string>`case
  when (case account.kind ${owners} else false end)
    and account.is_append_only = (select is_append_only from ledger.kinds where kind = account.kind)
    and (account.balance = 0 or not account.is_append_only)
  then account.kind else ${MISSHAPEN} end`
