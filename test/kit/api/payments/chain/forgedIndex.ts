import { sql } from 'kysely'
import type { Hex, TransactionReceipt } from 'viem'
import { type IndexDb, openIndexPool } from '../../../../../api/platform/db/pool.ts'
import type { TestChain } from '../../../chain/node.ts'
import { startIndexDatabase } from '../../../stack/indexDatabase.ts'

// An index that says what a test wants it to. The real one is tested where it is and in whole trades; here it
// lies.

/** A database of an index that a test writes. */
export interface ForgedIndex {
  /** As the indexer, who says what there is. */
  db: IndexDb
  /** As api and worker, who read it. */
  reader: IndexDb
  stop: () => Promise<void>
}

/** An index that says nothing. It is ready, and has come to the head. */
export async function forgeIndex(chain: TestChain): Promise<ForgedIndex> {
  const { indexUrls, stop } = await startIndexDatabase()
  const [db, reader] = [indexUrls.indexer, indexUrls.reader].map((url) =>
    openIndexPool(url, { max: 4, onError: () => {} }),
  )
  if (!db || !reader) throw new Error('there are two logins')
  await createTables(db)
  await sql`insert into chain._ponder_meta values ('app', '{"is_ready": 1}')`.execute(db)
  await sql`insert into chain._ponder_checkpoint values (${chain.chainId}, '')`.execute(db)
  await indexTo(db, await chain.client.getBlockNumber())
  return {
    ...{ db, reader },
    stop: async () => {
      await Promise.all([db.destroy(), reader.destroy()])
      await stop()
    },
  }
}

/** Tables in the place of the index's views. */
async function createTables(db: IndexDb): Promise<void> {
  const place = sql.raw(
    'chain_id integer, block_number bigint, block_hash text, transaction_hash text, log_index integer',
  )
  await sql`create schema chain`.execute(db)
  for (const table of [
    sql`chain.holds (hold_id text, terms_hash text, order_key text, payer text, payee text, amount_micros bigint,
      fee_recipient text, fee_bps integer, fund_by bigint, expiry bigint, adopted boolean, ${place})`,
    sql`chain.releases (hold_id text, order_key text, payer text, payer_micros bigint, payee_micros bigint,
      fee_micros bigint, cause integer, ${place})`,
    sql`chain.reclaims (hold_id text, order_key text, payer text, amount_micros bigint, ${place})`,
    sql`chain.withdrawals (account text, recipient text, amount_micros bigint, ${place})`,
    sql`chain.stray_announcements (payer text, nonce text, action integer, amount numeric, available_at bigint,
      ${place})`,
    sql`chain.strays_returned (payer text, nonce text, amount_micros bigint, ${place})`,
    sql`chain.token_transfers (sender text, recipient text, amount_micros bigint, authorization_nonce text,
      hold_id text, ${place})`,
    sql`chain.pauses (paused_until bigint, ${place})`,
    sql`chain.resolver_changes (resolver text, effective_at bigint, ${place})`,
    sql`chain.rescues (token text, recipient text, amount numeric, ${place})`,
    sql`chain._ponder_meta (key text, value jsonb)`,
    sql`chain._ponder_checkpoint (chain_id bigint, latest_checkpoint text)`,
  ]) {
    await sql`create table ${table}`.execute(db)
  }
}

/** Has the index come to a block. */
export async function indexTo(db: IndexDb, block: bigint): Promise<void> {
  const checkpoint = `${'0'.repeat(26)}${block.toString().padStart(16, '0')}${'0'.repeat(33)}`
  await sql`update chain._ponder_checkpoint set latest_checkpoint = ${checkpoint}`.execute(db)
}

/** What the index says of a transfer of the token. */
export interface TransferRow {
  sender: string
  recipient: string
  amount_micros: bigint
  authorization_nonce: string | null
  hold_id: string | null
  chain_id: number
  block_number: bigint
  block_hash: Hex
  transaction_hash: Hex
  log_index: number
}

/** The truth about the transfer in a transaction of its own. */
export function transferRow(
  chain: TestChain,
  receipt: TransactionReceipt,
  row: Pick<TransferRow, 'sender' | 'recipient' | 'amount_micros' | 'authorization_nonce'>,
): TransferRow {
  return {
    ...row,
    sender: row.sender.toLowerCase(),
    recipient: row.recipient.toLowerCase(),
    hold_id: null,
    chain_id: chain.chainId,
    block_number: receipt.blockNumber,
    block_hash: receipt.blockHash,
    transaction_hash: receipt.transactionHash,
    log_index: row.authorization_nonce === null ? 0 : 1,
  }
}

/** Has the index say exactly these transfers. */
export async function indexTransfers(db: IndexDb, rows: readonly TransferRow[]): Promise<void> {
  await sql`delete from chain.token_transfers`.execute(db)
  for (const row of rows) {
    await sql`insert into chain.token_transfers select * from jsonb_populate_record(null::chain.token_transfers,
      ${JSON.stringify(row, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))}::jsonb)`.execute(
      db,
    )
  }
}
