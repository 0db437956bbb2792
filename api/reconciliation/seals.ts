import { sql } from 'kysely'
import type { Tx } from '../db/pool.ts'
import type { Finding } from './judge.ts'

const AT_ONCE = 500
// As many as are posted between two looks, and more.
const NEW_AT_ONCE = 2_000

/** A transfer with all that it says, as a digest, beside the one of when it was first looked at. Both in hex. */
export interface ComparedTransfer {
  id: bigint
  /** Null where there is none of this id, and entries or a seal say that there was. */
  key: string | null
  /** It has two sides or more, which sum to zero. */
  isBalanced: boolean
  digest: string
  sealed: string | null
}

// Each account is asked for by itself: joined, they are all read for each transfer where Postgres has no statistics yet.

/**
 * The transfers after one, in the order of their ids, if it is their turn; what was posted by transactions from one on, and
 * some by their ids. The last one's id is where the next look begins; null when they have all been looked at.
 */
export async function transfersAfter(
  tx: Tx,
  { after, since, also }: { after: bigint | null; since: string | undefined; also: readonly bigint[] },
): Promise<{ transfers: ComparedTransfer[]; cursor: bigint | null }> {
  const { rows } = await sql<ComparedTransfer & { isNext: boolean }>`
    with next as (
      (select id from ledger.transfers where id > ${after} order by id limit ${AT_ONCE})
      union (select transfer_id from ledger.seals where transfer_id > ${after} order by 1 limit ${AT_ONCE})
      union (select distinct transfer_id from ledger.entries where transfer_id > ${after} order by 1 limit ${AT_ONCE})
      order by 1 limit ${AT_ONCE}
    ), chosen as (
      select id, true as is_next from next
      union select id, false from ((select id from ledger.transfers where transaction_id >= ${since ?? null}::xid8
        order by transaction_id limit ${NEW_AT_ONCE}) union select unnest(${also.map(String)}::bigint[])) other
        where id not in (select id from next)
    )
    select chosen.id, chosen.is_next as "isNext", transfer.key, said.is_balanced as "isBalanced",
      encode(said.digest, 'hex') as digest, encode(seal.digest, 'hex') as sealed
    from chosen
    left join ledger.transfers transfer on transfer.id = chosen.id
    left join ledger.seals seal on seal.transfer_id = chosen.id
    cross join lateral (
      select count(*) as entries, count(*) > 1 and sum(amount) = 0 as is_balanced, sha256(convert_to(row(transfer.id, transfer.transaction_id,
        transfer.key, transfer.kind, transfer.order_id, transfer.evidence, extract(epoch from transfer.created_at),
        array_agg(row(entry.id, amount, balance_after, extract(epoch from created_at), account_id, (
          select row(asset, kind, owner)::text from ledger.accounts where id = account_id))::text
          order by account_id))::text, 'UTF8')) as digest
      from ledger.entries entry where transfer_id = chosen.id) said
    -- Nothing is left of what was found before, and was put right.
    where transfer.id is not null or seal.transfer_id is not null or said.entries > 0
    order by chosen.id`.execute(tx)
  const next = rows.filter(({ isNext }) => isNext)
  return { transfers: rows, cursor: next.length < AT_ONCE ? null : (next.at(-1)?.id ?? null) }
}

/** Names a transfer that says something else than it did, does not balance, or is gone. */
export function judgeTransfer({ id, key, isBalanced, digest, sealed }: ComparedTransfer): Finding[] {
  const about = { code: 'ledger/transfer', subject: key ?? `transfer ${id}`, transfer: `${id}` } as const
  if (key === null) return [{ ...about, booked: 'nothing', expected: 'a transfer' }]
  if (!isBalanced) return [{ ...about, booked: 'one that does not balance', expected: sealed ?? 'one that does' }]
  return sealed === null || sealed === digest ? [] : [{ ...about, booked: digest, expected: sealed }]
}

/** Seals what was looked at for the first time. */
export async function sealTransfers(tx: Tx, transfers: readonly ComparedTransfer[]): Promise<void> {
  const fresh = transfers.filter((one) => one.sealed === null && judgeTransfer(one).length === 0)
  if (fresh.length === 0) return
  await sql`
    insert into ledger.seals (transfer_id, digest)
    select id, decode(digest, 'hex') from unnest(${fresh.map(({ id }) => `${id}`)}::bigint[],
      ${fresh.map(({ digest }) => digest)}::text[]) as given(id, digest)
    on conflict do nothing`.execute(tx)
}
