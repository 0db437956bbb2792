import { sql } from 'kysely'

/** The kind reported for an account that no posting can open. */
export const MISSHAPEN = 'misshapen'

/**
 * SQL for the kind of a row of ledger.accounts (aliased `account`); `misshapen` if its owner cannot own an
 * account of that kind, or it keeps a balance although its kind has none, or the reverse: nothing else of
 * such a row can be compared.
 */
export const kindOfAccount = sql<string>`case
  when ledger.is_owner_id(account.owner_type, account.owner_id)
    and exists (select from ledger.account_kinds kind where kind.kind = account.kind
      and account.owner_type = any (kind.owner_types) and kind.is_append_only = (account.balance is null))
  then account.kind else ${MISSHAPEN} end`

/**
 * Returns SQL for the UUID that owns a row of ledger.accounts (aliased `account`), if its owner is of this
 * type; else null.
 */
export function ownerUuid(type: 'dispute' | 'human' | 'order' | 'payout') {
  return sql<string | null>`case when account.owner_type = ${type} and pg_input_is_valid(account.owner_id, 'uuid')
    then account.owner_id::uuid end`
}
