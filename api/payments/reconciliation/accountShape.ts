import { sql } from 'kysely'

const ADDRESS = '^0x[0-9a-f]{40}$'
const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

/** The format of owner ids, by owner type. */
const OWNER_IDS = {
  human: UUID,
  order: UUID,
  payout: UUID,
  dispute: UUID,
  address: ADDRESS,
  hold: '^0x[0-9a-f]{64}$',
  event: '^[a-z_]+:',
  service: '^service$',
}

/** The kind reported for an account that no posting can open. */
export const MISSHAPEN = 'misshapen'

const ownerIds = sql.join(
  Object.entries(OWNER_IDS).map(([type, pattern]) => sql`when ${type} then account.owner_id ~ ${pattern}`),
  sql` `,
)

/**
 * SQL for the kind of a row of ledger.accounts (aliased `account`); `misshapen` if its owner cannot own an account of
 * that kind, or it keeps a balance although its kind has none, or the reverse: nothing else of such a row can be
 * compared.
 */
export const kindOfAccount = sql<string>`case
  when (case account.owner_type ${ownerIds} else false end)
    and exists (select from ledger.account_kinds kind where kind.kind = account.kind
      and account.owner_type = any (kind.owner_types) and kind.is_append_only = (account.balance is null))
  then account.kind else ${MISSHAPEN} end`

/**
 * Returns SQL for the UUID that owns a row of ledger.accounts (aliased `account`), if its owner is of this type; else
 * null.
 */
export function ownerUuid(type: 'dispute' | 'human' | 'order' | 'payout') {
  return sql<string | null>`case when account.owner_type = ${type} and pg_input_is_valid(account.owner_id, 'uuid')
    then account.owner_id::uuid end`
}
