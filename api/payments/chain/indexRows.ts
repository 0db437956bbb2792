import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import type { Hex } from 'viem'
import { type BlockRange, INDEXED_TABLES, placeName } from '../../../protocol/rpc/indexedLogs.ts'
import type { ChainSettings } from '../../context.ts'
import type { Db, IndexDb, IndexTx, Tx } from '../../platform/db/pool.ts'
import { inIndexSnapshot } from '../../platform/db/transaction.ts'
import type { IndexedServices } from '../../platform/jobs/services.ts'
import type { ChainEvent } from './evidence.ts'
import type { BlockPlace } from './nodes.ts'

/** About how many events are read at once. A block is never divided. */
const ROWS_AT_ONCE = 1_000
// SQLSTATEs raised while the indexer has not yet created its views.
const MISSING = new Set(['42P01', '3F000'])

type IndexReading = Pick<IndexedServices, 'index' | 'settings'>

/** An event as the index holds it: its place on the chain and its content, as text. */
export interface IndexRow {
  kind: ChainEvent['kind']
  key: string
  block_number: bigint
  block_hash: Hex
  tx_hash: Hex
  log_index: number
  event_arguments: Record<string, string>
}

/** Whole blocks of the index, as it shows them at one moment. */
export interface IndexedBlocks {
  /** In chain order. */
  rows: IndexRow[]
  /** The last of the blocks. */
  to: bigint
  /** The index had indexed all of them. */
  isWhole: boolean
}

/**
 * Runs a read of the index and returns its result, or undefined while the index has no views. Must wrap a
 * whole transaction, not run inside one: a missing view aborts the transaction, which would show only at its
 * commit.
 */
export async function whereIndexed<Answer>(read: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof DatabaseError && MISSING.has(error.code ?? '')) return undefined
    throw error
  }
}

/**
 * Returns the block that the index has reached. Undefined while the index is not ready, because it then shows
 * less than it has.
 */
export async function indexedBlock(
  index: IndexDb | IndexTx,
  { chainId }: Pick<ChainSettings, 'chainId'>,
): Promise<BlockPlace | undefined> {
  const { rows } = await sql<BlockPlace>`
    select substring(latest_checkpoint, 27, 16)::bigint as number,
      substring(latest_checkpoint, 1, 10)::bigint as timestamp
    from chain._ponder_checkpoint
    where chain_id = ${chainId}
      and exists (select from chain._ponder_meta where key = 'app' and value->>'is_ready' = '1')`.execute(index)
  return rows[0]
}

/**
 * Returns the events in a range of blocks: of all its blocks, or of as many as hold about a thousand events.
 * Undefined while the index is not ready. A missing event proves nothing: the index rolls back and rewrites
 * its rows. Throws an Error if the index shows other blocks than it was asked for.
 */
export function readIndexed(
  { index, settings: { chain } }: IndexReading,
  range: BlockRange,
): Promise<IndexedBlocks | undefined> {
  return whereIndexed(() => inIndexSnapshot(index, (snapshot) => blocksOf(snapshot, chain, range)))
}

/** Does the same, and also returns the places of all events in those blocks, as `placeName` names them. */
export function readIndexedPlaces(
  { index, settings: { chain } }: IndexReading,
  range: BlockRange,
): Promise<(IndexedBlocks & { places: ReadonlySet<string> }) | undefined> {
  return whereIndexed(() =>
    inIndexSnapshot(index, async (snapshot) => {
      const blocks = await blocksOf(snapshot, chain, range)
      return blocks && { ...blocks, places: await placesOf(snapshot, chain, { from: range.from, to: blocks.to }) }
    }),
  )
}

async function blocksOf(
  snapshot: IndexTx,
  chain: ChainSettings,
  { from, to: last }: BlockRange,
): Promise<IndexedBlocks | undefined> {
  const reached = await indexedBlock(snapshot, chain)
  if (!reached) return undefined
  const to = await lastBlockToRead(snapshot, chain, { from, to: last })
  const rows = await rowsOf(snapshot, chain, { from, to })
  const isBeyond = (block: bigint) => block < from || block > last
  if (isBeyond(to) || rows.some(({ block_number: block }) => isBeyond(block)))
    throw new Error(`the index shows blocks beyond ${from} to ${last}`)
  return { rows, to, isWhole: reached.number >= to }
}

async function placesOf(snapshot: IndexTx, { chainId }: ChainSettings, { from, to }: BlockRange): Promise<Set<string>> {
  const views = INDEXED_TABLES.map(
    (view) => sql`select block_hash, log_index from ${sql.table(`chain.${view}`)}
      where chain_id = ${chainId} and block_number between ${from} and ${to}`,
  )
  const { rows } = await sql<{ block_hash: string; log_index: number }>`
    ${sql.join(views, sql` union all `)}`.execute(snapshot)
  return new Set(rows.map((row) => placeName(row.block_hash, row.log_index)))
}

/** Returns those of the rows whose events are unprocessed, or were removed after processing. */
export async function unprocessedRows(db: Db | Tx, rows: readonly IndexRow[]): Promise<IndexRow[]> {
  if (rows.length === 0) return []
  const keys = rows.map(({ key }) => key)
  const settled = await db
    .selectFrom('market.processed_chain_events')
    .select('key')
    .where(({ eb, fn, val }) => eb('key', '=', fn.any(val(keys))))
    .where('vanished_at', 'is', null)
    .execute()
  const known = new Set(settled.map(({ key }) => key))
  return rows.filter(({ key }) => !known.has(key))
}

/** Returns the last block of a range up to which there are about as many events as are read at once. */
async function lastBlockToRead(index: IndexTx, { chainId }: ChainSettings, { from, to }: BlockRange): Promise<bigint> {
  const views = INDEXED_TABLES.map(
    (view) => sql`(select block_number from ${sql.table(`chain.${view}`)}
      where chain_id = ${chainId} and block_number between ${from} and ${to} order by block_number limit ${ROWS_AT_ONCE})`,
  )
  const { rows } = await sql<{ block: bigint }>`
    select block_number as block from (${sql.join(views, sql` union all `)}) event
    order by block_number offset ${ROWS_AT_ONCE - 1} limit 1`.execute(index)
  return rows[0]?.block ?? to
}

async function rowsOf(index: IndexTx, chain: ChainSettings, { from, to }: BlockRange): Promise<IndexRow[]> {
  const place = sql`block_number, block_hash, transaction_hash as tx_hash, log_index`
  const within = sql`chain_id = ${chain.chainId} and block_number between ${from} and ${to}`
  const escrow = chain.escrow.toLowerCase()
  const hotWallet = chain.hotWallet.toLowerCase()
  const token = chain.token.toLowerCase()
  const { rows } = await sql<IndexRow>`
    select event.* from (
    select 'funded' as kind, 'funded:' || hold_id as key, ${place}, jsonb_build_object(
        'order', order_key, 'payer', payer, 'nonce', terms_hash, 'payee', payee, 'amount', amount_micros::text,
        'fee_recipient', fee_recipient, 'fee_bps', fee_bps::text, 'fund_by', fund_by::text, 'expiry', expiry::text,
        'adopted', adopted::text) as event_arguments
      from chain.holds where ${within}
      union all select 'released', 'released:' || hold_id, ${place}, jsonb_build_object(
        'order', order_key, 'payer', payer, 'cause', cause::text, 'to_payer', payer_micros::text,
        'total', (payer_micros + payee_micros + fee_micros)::text)
      from chain.releases where ${within}
      union all select 'reclaimed', 'reclaimed:' || hold_id, ${place},
        jsonb_build_object('order', order_key, 'payer', payer, 'amount', amount_micros::text)
      from chain.reclaims where ${within}
      union all select 'withdrawn', 'withdrawn:' || account || ':' || transaction_hash || ':' ||
          (row_number() over (partition by transaction_hash, account order by log_index) - 1), ${place},
        jsonb_build_object('to', recipient, 'amount', amount_micros::text)
      from chain.withdrawals where ${within}
      union all select 'stray_announced', 'stray_announced:' || transaction_hash || ':' || log_index, ${place},
        jsonb_build_object('from', payer, 'nonce', nonce, 'action', case action when 1 then 'adopt' else 'return' end,
          'amount', amount::text, 'available_at', available_at::text)
      from chain.stray_announcements where ${within} and action <> 0
      union all select 'stray_returned', 'stray_returned:' || payer || ':' || nonce, ${place},
        jsonb_build_object('amount', amount_micros::text)
      from chain.strays_returned where ${within}
      union all select 'payment', 'payment:' || sender || ':' || authorization_nonce, ${place},
        jsonb_build_object('to', recipient, 'amount', amount_micros::text, 'hold', coalesce(hold_id, ''))
      from chain.token_transfers where ${within} and authorization_nonce is not null
        and recipient in (${escrow}, ${hotWallet}) and sender <> recipient
      union all select 'transfer', 'transfer:' || transaction_hash || ':' || log_index, ${place},
        jsonb_build_object('from', sender, 'to', recipient, 'amount', amount_micros::text)
      from chain.token_transfers where ${within} and authorization_nonce is null
        and recipient in (${escrow}, ${hotWallet}) and sender <> recipient
      union all select 'outflow', 'outflow:' || coalesce(authorization_nonce, transaction_hash || ':' || log_index), ${place},
        jsonb_build_object('to', recipient, 'amount', amount_micros::text)
      from chain.token_transfers where ${within} and sender = ${hotWallet} and sender <> recipient
      union all select 'rescued', 'rescued:' || transaction_hash || ':' || log_index, ${place},
        jsonb_build_object('to', recipient, 'amount', amount::text)
      from chain.rescues where ${within} and token = ${token}
      union all select 'leak', 'leak:' || transaction_hash || ':' || log_index, ${place},
        jsonb_build_object('to', recipient, 'amount', amount_micros::text)
      from chain.token_transfers moved where ${within} and sender = ${escrow} and sender <> recipient
        and not exists (select from chain.withdrawals said where (said.block_number, said.transaction_hash, said.log_index,
          said.recipient, said.amount_micros) = (moved.block_number, moved.transaction_hash, moved.log_index + 1,
          moved.recipient, moved.amount_micros))
        and not exists (select from chain.strays_returned said where (said.block_number, said.transaction_hash,
          said.log_index, said.payer, said.amount_micros) = (moved.block_number, moved.transaction_hash,
          moved.log_index + 1, moved.recipient, moved.amount_micros))
        and not exists (select from chain.rescues said where (said.transaction_hash, said.log_index, said.token,
          said.recipient, said.amount) = (moved.transaction_hash, moved.log_index + 1, ${token}, moved.recipient,
          moved.amount_micros))
    ) event
    order by event.block_number, event.log_index, event.kind`.execute(index)
  return rows
}
