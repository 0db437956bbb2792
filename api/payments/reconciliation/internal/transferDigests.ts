import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Finding } from './checks.ts'
import { actsAfter } from './ledgerTotals.ts'

const AT_ONCE = 125
// More than are posted between two comparisons.
const NEW_AT_ONCE = 2_000

/**
 * A transfer's digest over every column of it and of its entries, and the digest recorded when it was first
 * read. Both in hex.
 */
export interface ComparedTransfer {
  id: bigint
  /** Null if no transfer has this id, although entries or a recorded digest show that one had. */
  key: string | null
  /** Whether it has at least two sides that sum to zero. */
  isBalanced: boolean
  digest: string
  recorded: string | null
}

// Each account is queried separately: without statistics, Postgres would join all of them for each transfer.

/**
 * Returns the transfers after an id in id order, if `after` is given; those of acts after the place `since`
 * of the event log; and some by their ids. Also returns the last id, where the next batch begins; null when
 * all were read.
 */
export async function transfersAfter(
  tx: Tx,
  { after, since, also }: { after: bigint | null; since: bigint | undefined; also: readonly bigint[] },
): Promise<{ transfers: ComparedTransfer[]; cursor: bigint | null }> {
  const { rows } = await sql<ComparedTransfer & { isNext: boolean }>`
    with next as (
      (select id from ledger.transfers where id > ${after} order by id limit ${AT_ONCE})
      union (select transfer_id from ledger.transfer_digests where transfer_id > ${after} order by 1 limit ${AT_ONCE})
      union (select distinct transfer_id from ledger.entries where transfer_id > ${after} order by 1 limit ${AT_ONCE})
      order by 1 limit ${AT_ONCE}
    ), chosen as (
      select id, true as is_next from next
      union select id, false from ((select transfer.id from (${actsAfter(since)}) act join ledger.transfers transfer on transfer.act = act.id
        order by act.place limit ${NEW_AT_ONCE}) union select unnest(${also.map(String)}::bigint[])) other
        where id not in (select id from next)
    )
    select chosen.id, chosen.is_next as "isNext", transfer.key, said.is_balanced as "isBalanced",
      encode(said.digest, 'hex') as digest, encode(known.digest, 'hex') as recorded
    from chosen
    left join ledger.transfers transfer on transfer.id = chosen.id
    left join ledger.transfer_digests known on known.transfer_id = chosen.id
    cross join lateral (
      select count(*) as entries, count(*) > 1 and sum(amount) = 0 as is_balanced, sha256(convert_to(row(transfer.id, transfer.act,
        transfer.key, transfer.kind, transfer.order_id, transfer.evidence, extract(epoch from transfer.created_at),
        array_agg(row(entry.id, amount, balance_after, extract(epoch from created_at), account_id, (
          select row(asset, kind, owner_type, owner_id)::text from ledger.accounts where id = account_id))::text
          order by account_id))::text, 'UTF8')) as digest
      from ledger.entries entry where transfer_id = chosen.id) said
    -- Nothing is left of what was found before, and was put right.
    where transfer.id is not null or known.transfer_id is not null or said.entries > 0
    order by chosen.id`.execute(tx)
  const next = rows.filter(({ isNext }) => isNext)
  return { transfers: rows, cursor: next.length < AT_ONCE ? null : (next.at(-1)?.id ?? null) }
}

/** Returns a finding for a transfer that was changed, does not balance, or is missing. */
export function checkTransfer({ id, key, isBalanced, digest, recorded }: ComparedTransfer): Finding[] {
  const about = { code: 'ledger/transfer', subject: key ?? `transfer ${id}`, transfer: `${id}` } as const
  if (key === null) return [{ ...about, booked: 'nothing', expected: 'a transfer' }]
  if (!isBalanced) return [{ ...about, booked: 'one that does not balance', expected: recorded ?? 'one that does' }]
  return recorded === null || recorded === digest ? [] : [{ ...about, booked: digest, expected: recorded }]
}

/** Records the digests of transfers that were read for the first time. */
export async function recordDigests(tx: Tx, transfers: readonly ComparedTransfer[]): Promise<void> {
  const fresh = transfers.filter((one) => one.recorded === null && checkTransfer(one).length === 0)
  if (fresh.length === 0) return
  await sql`
    select ledger.record_digests(${fresh.map(({ id }) => `${id}`)}::bigint[],
      ${fresh.map(({ digest }) => Buffer.from(digest, 'hex'))}::bytea[])`.execute(tx)
}
