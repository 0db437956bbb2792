import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import type { Hex } from 'viem'
import type { ChainSettings } from '../../context.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import type { ChainEvent } from '../escrow/evidence.ts'
import type { BlockPlace } from './head.ts'

// SQLSTATEs raised while the indexer has not yet created its views.
const MISSING = new Set(['42P01', '3F000'])

/** An event as the index holds it: its place on the chain and its content, as text. */
export interface IndexRow {
  kind: ChainEvent['kind']
  key: string
  block_number: bigint
  block_hash: Hex
  tx_hash: Hex
  log_index: number
  claims: Record<string, string>
}

/** A position in the index: block, log and kind, since one log can be two events. */
export type RowCursor = Pick<IndexRow, 'block_number' | 'log_index' | 'kind'>

/**
 * Runs a read of the index and returns its result, or undefined while the index has no views. Must wrap a whole
 * transaction, not run inside one: a missing view aborts the transaction, which would show only at its commit.
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
 * Returns the block that the index has reached. Undefined while the index is not ready, because it then shows less than
 * it has.
 */
export async function indexedBlock(db: Db | Tx, { chainId }: ChainSettings): Promise<BlockPlace | undefined> {
  const { rows } = await sql<BlockPlace>`
    select substring(latest_checkpoint, 27, 16)::bigint as number,
      substring(latest_checkpoint, 1, 10)::bigint as timestamp
    from chain._ponder_checkpoint
    where chain_id = ${chainId}
      and exists (select from chain._ponder_meta where key = 'app' and value->>'is_ready' = '1')`.execute(db)
  return rows[0]
}

/**
 * Returns events in a range of blocks that are unprocessed, or were removed after processing, in chain order. A missing
 * event proves nothing: the index rolls back and rewrites its rows.
 */
export async function unsettledRows(
  db: Db | Tx,
  chain: ChainSettings,
  { from, to, after, limit }: { from: bigint; to: bigint; after: RowCursor | undefined; limit: number },
): Promise<IndexRow[]> {
  const place = sql`block_number, block_hash, transaction_hash as tx_hash, log_index`
  const within = sql`chain_id = ${chain.chainId} and block_number between ${from} and ${to}`
  const escrow = chain.escrow.toLowerCase()
  const hotWallet = chain.hotWallet.toLowerCase()
  const token = chain.token.toLowerCase()
  const { rows } = await sql<IndexRow>`
    select fact.* from (
      select 'funded' as kind, 'funded:' || hold_id as key, ${place}, jsonb_build_object(
        'order', order_key, 'payer', payer, 'nonce', terms_hash, 'payee', payee, 'amount', amount_micros::text,
        'fee_recipient', fee_recipient, 'fee_bps', fee_bps::text, 'fund_by', fund_by::text, 'expiry', expiry::text,
        'adopted', adopted::text) as claims
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
    ) fact
    where not exists (select from market.processed_chain_events settled where settled.key = fact.key and settled.vanished_at is null)
      and (fact.block_number, fact.log_index, fact.kind) >
        (${after?.block_number ?? -1n}, ${after?.log_index ?? -1}, ${after?.kind ?? ''})
    order by fact.block_number, fact.log_index, fact.kind
    limit ${limit}`.execute(db)
  return rows
}
