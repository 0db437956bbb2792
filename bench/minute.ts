import { sql } from 'kysely'
import { pino } from 'pino'
import type { TransactionReceipt } from 'viem'
import { Progress } from '../api/payments/chain/progress.ts'
import { assetKey } from '../api/payments/ledger/post.ts'
import { reconcile } from '../api/payments/reconciliation/reconcile.ts'
import { settle } from '../api/payments/settlement/settle.ts'
import type { IndexedServices } from '../api/platform/jobs/services.ts'
import { chainSettings } from '../cli/stack/services.ts'
import { type ForgedIndex, forgeIndex, indexTo, transferRow } from '../test/kit/api/payments/chain/forgedIndex.ts'
import { startWorld, type World } from '../test/kit/api/payments/escrow/world.ts'
import { startChain, type TestChain } from '../test/kit/chain/node.ts'
import { freeAccount, mineBlocks, mintUsdc, transferUnsigned } from '../test/kit/chain/payments.ts'
import { type BenchRow, beside, judged } from './rows.ts'

const ENTRIES = 3_000_000
const ENTRIES_A_TRANSFER = 2
const OWNERS = 20_000
const AMOUNT = 5n
/** Blocks with history, far below those that a pass looks at again. */
const HISTORY = { first: 20, blocks: 100, depth: 400 }
const SECONDS = 60
const PAYMENTS_A_SECOND = 2
const ROUNDS = 3
const MOST_RATIO = 1.2

/** A market's worker, and what the chain's index says to it. */
interface Market {
  world: World
  index: ForgedIndex
  services: IndexedServices
}

/**
 * What settle and the reconciler take for a minute of blocks with payments, with a sweep of each: in a market
 * with 3,000,000 ledger entries, beside one with none, on one chain and one Postgres, in turns.
 */
export async function bench(): Promise<BenchRow[]> {
  const chain = await startChain()
  const payer = freeAccount(0).address
  await mintUsdc(chain, payer, 1_000_000_000n)
  const [empty, full] = [await openMarket(chain), await openMarket(chain)]
  try {
    await mineBlocks(chain, HISTORY.first + HISTORY.blocks + HISTORY.depth)
    await addHistory(chain, full)
    for (const market of [empty, full]) await prepare(chain, market)
    const ratios: number[] = []
    const spent = { empty: 0, full: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      const one = await minute(chain, { empty, full })
      spent.empty += one.empty
      spent.full += one.full
      ratios.push(one.full / one.empty)
    }
    const ratio = ratios.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN
    const row = beside(`a minute at ${ENTRIES} entries ÷ at none`, spent.full / ROUNDS, spent.empty / ROUNDS, 'ms')
    return [judged({ ...row, ratio }, `≤ ${MOST_RATIO}`, ratio <= MOST_RATIO)]
  } finally {
    for (const { world, index } of [empty, full]) {
      await index.stop()
      await world.stop()
    }
    await chain.stop()
  }
}

async function openMarket(chain: TestChain): Promise<Market> {
  const [world, index] = [await startWorld(chainSettings(chain)), await forgeIndex(chain)]
  await sql`create index on chain.token_transfers (block_number)`.execute(index.db)
  const log = pino({ level: 'error' }, process.stderr)
  const services = { db: world.serviceDb, index: index.reader, rpc: chain.client, settings: world.settings, log }
  return { world, index, services }
}

/** The books of a long time, in which all that came in went out again, and the index of it. */
async function addHistory(chain: TestChain, { world, index }: Market): Promise<void> {
  const { db, settings } = world
  const [asset, hotWallet] = [assetKey(settings.chain), settings.chain.hotWallet.toLowerCase()]
  const transfers = ENTRIES / ENTRIES_A_TRANSFER
  const hashes: string[] = []
  for (let block = 0; block < HISTORY.blocks; block++)
    hashes.push((await chain.client.getBlock({ blockNumber: BigInt(HISTORY.first + block) })).hash)
  await db.transaction().execute(async (tx) => {
    // Past the triggers by which only post_transfers writes.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      insert into ledger.accounts (asset, kind, owner_type, owner_id, balance) values (${asset}, 'hot_wallet', 'address', ${hotWallet}, null)`.execute(
      tx,
    )
    await sql`
      insert into ledger.accounts (asset, kind, owner_type, owner_id, balance)
      select ${asset}, 'payable', 'human', gen_random_uuid(), 0 from generate_series(1, ${OWNERS})`.execute(tx)
    await sql`
      insert into ledger.transfers (key, kind, evidence)
      select 'history:' || number, 'test', '{}' from generate_series(1, ${transfers}) number`.execute(tx)
    await sql`
      insert into ledger.entries (transfer_id, account_id, amount, balance_after)
      select transfer.id, leg.account_id, leg.amount, leg.balance
      from (select id, row_number() over (order by id) - 1 as number, first.account
        from ledger.transfers, (select min(id) as account from ledger.accounts) first) transfer,
      lateral (values (transfer.account, case transfer.number % 2 when 0 then -5 else 5 end, null::bigint),
        (transfer.account + 1 + transfer.number / 2 % ${OWNERS}, case transfer.number % 2 when 0 then 5 else -5 end,
          case transfer.number % 2 when 0 then 5 else 0 end)) leg (account_id, amount, balance)`.execute(tx)
    await sql`
      insert into market.processed_chain_events (key, kind, block_number, block_hash, tx_hash, log_index)
      select 'transfer:history:' || number, 'transfer', ${HISTORY.first} + number % ${HISTORY.blocks},
        (${hashes}::text[])[1 + number % ${HISTORY.blocks}], '0x' || repeat('1', 64), number
      from generate_series(1, ${transfers / 2}) number`.execute(tx)
  })
  await index.db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`
      insert into chain.token_transfers (sender, recipient, amount_micros, chain_id, block_number, block_hash, transaction_hash, log_index)
      select '0x', ${hotWallet}, 5, ${chain.chainId}, ${HISTORY.first} + number % ${HISTORY.blocks}, '0x', 'history', number
      from generate_series(1, ${transfers / 2}) number`.execute(tx)
    await sql`analyze chain.token_transfers`.execute(tx)
  })
  await sql`analyze`.execute(db)
}

/** A market that runs: it has a checkpoint above its history, and has compared its books. */
async function prepare(chain: TestChain, { world, index, services }: Market): Promise<void> {
  const blockNumber = BigInt(HISTORY.first + HISTORY.blocks)
  const { hash } = await chain.client.getBlock({ blockNumber })
  await sql`insert into market.sweep_checkpoints (block_number, block_hash) values (${blockNumber}, ${hash})`.execute(
    world.db,
  )
  await indexTo(index.db, await chain.client.getBlockNumber())
  const progress = new Progress()
  await settle(services, progress)
  if (!progress.isCaughtUp) throw new Error('a market that has all of its history behind it has caught up')
  await reconcile(services)
}

/** Returns the milliseconds that each market's worker took for a minute. */
async function minute(chain: TestChain, markets: Record<'empty' | 'full', Market>) {
  const spent = { empty: 0, full: 0 }
  const progress = { empty: new Progress(), full: new Progress() }
  const names = ['empty', 'full'] as const
  for (const name of names)
    await sql`update market.reconciliations set swept_at = swept_at - interval '61 seconds'`.execute(
      markets[name].world.db,
    )
  for (let second = 0; second < SECONDS; second++) {
    const receipts = await payments(chain)
    for (const name of second % 2 === 0 ? names : names.toReversed()) {
      const { index, services } = markets[name]
      await show(chain, index, receipts)
      const started = performance.now()
      await settle(services, progress[name])
      await reconcile(services)
      spent[name] += performance.now() - started
    }
  }
  return spent
}

async function payments(chain: TestChain): Promise<TransactionReceipt[]> {
  const receipts: TransactionReceipt[] = []
  const { address: hotWallet } = chain.accounts.hotWallet
  for (let payment = 0; payment < PAYMENTS_A_SECOND; payment++)
    receipts.push(await transferUnsigned(chain, freeAccount(0).address, hotWallet, AMOUNT))
  await mineBlocks(chain, 3)
  return receipts
}

async function show(chain: TestChain, { db }: ForgedIndex, receipts: readonly TransactionReceipt[]): Promise<void> {
  for (const receipt of receipts) {
    const { address: recipient } = chain.accounts.hotWallet
    const parts = { sender: freeAccount(0).address, recipient, amount_micros: AMOUNT, authorization_nonce: null }
    const row = transferRow(chain, receipt, parts)
    await sql`
      insert into chain.token_transfers (sender, recipient, amount_micros, chain_id, block_number, block_hash, transaction_hash, log_index)
      values (${row.sender}, ${row.recipient}, ${row.amount_micros}, ${row.chain_id}, ${row.block_number}, ${row.block_hash},
        ${row.transaction_hash}, ${row.log_index})`.execute(db)
  }
  await indexTo(db, await chain.client.getBlockNumber())
}
