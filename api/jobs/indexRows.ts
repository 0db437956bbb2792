import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import type { Hex } from 'viem'
import type { ChainSettings } from '../context.ts'
import type { Db, Tx } from '../db/pool.ts'
import type { ChainEvent } from '../escrow/evidence.ts'
import type { BlockPlace } from './head.ts'

// SQLSTATE: the index has not made its views yet.
const MISSING = new Set(['42P01', '3F000'])

/** A fact as the index has it: where it is said to stand, and everything it claims, as text. */
export interface IndexRow {
  kind: ChainEvent['kind']
  key: string
  block_number: bigint
  block_hash: Hex
  tx_hash: Hex
  log_index: number
  claims: Record<string, string>
}

/** A place in the index: the block and the log, and the kind, since one log can be two facts. */
export type RowCursor = Pick<IndexRow, 'block_number' | 'log_index' | 'kind'>

/**
 * What is read of the index; undefined where it has no views yet. Goes around a transaction, never into one: what a missing
 * view does to it would be noticed at its commit only.
 */
export async function whereIndexed<Answer>(read: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof DatabaseError && MISSING.has(error.code ?? '')) return undefined
    throw error
  }
}

/** The block the index has come to. Undefined while it is not ready: it shows less then than it knows. */
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
 * Facts in a range of blocks that have not been acted on, or have vanished since, in the order of the chain. One that is missing says nothing:
 * the index rolls back and comes again.
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
    where not exists (select from market.settled_events settled where settled.key = fact.key and settled.vanished_at is null)
      and (fact.block_number, fact.log_index, fact.kind) >
        (${after?.block_number ?? -1n}, ${after?.log_index ?? -1}, ${after?.kind ?? ''})
    order by fact.block_number, fact.log_index, fact.kind
    limit ${limit}`.execute(db)
  return rows
}
