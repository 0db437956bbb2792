import { after, before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import { Progress } from '../../../../api/payments/chain/progress.ts'
import { reconcile } from '../../../../api/payments/reconciliation/reconcile.ts'
import { newestCheckpoint } from '../../../../api/payments/settlement/checkpoints.ts'
import { reverseEvent } from '../../../../api/payments/settlement/internal/reorgReversal.ts'
import { settle } from '../../../../api/payments/settlement/settle.ts'
import { loggedPlaces } from '../../../../protocol/rpc/indexedLogs.ts'
import { indexTo, indexTransfers, type TransferRow } from '../../../kit/api/payments/chain/forgedIndex.ts'
import { orderOf } from '../../../kit/api/payments/escrow/read.ts'
import { newHash, type Trade, type World } from '../../../kit/api/payments/escrow/world.ts'
import { type ForgedMarket, paid, startForgedMarket } from '../../../kit/api/payments/settlement/market.ts'
import { forkPoint } from '../../../kit/chain/forks.ts'
import { startLiar } from '../../../kit/chain/liar.ts'
import type { TestChain } from '../../../kit/chain/node.ts'
import { mineBlocks } from '../../../kit/chain/payments.ts'
import { until } from '../../../kit/until.ts'

/** How far below the newest confirmed block a checkpoint stays. */
const DEPTH = 256

describe('a sweep of settle', { timeout: 60_000 }, () => {
  let market: ForgedMarket
  let chain: TestChain
  let world: World
  /** All that an honest index says. */
  let honest: TransferRow[]

  before(async () => {
    market = await startForgedMarket()
    ;({ chain, world } = market)
    honest = []
    await showDeployment()
  })

  beforeEach(async () => {
    market.lines.length = 0
    await sql`delete from market.sweep_checkpoints`.execute(world.db)
  })

  after(() => market?.stop())

  /** The contract's deployment schedules its first resolver. */
  const showDeployment = async () => {
    const { startBlock } = world.settings.chain
    const range = { from: startBlock, to: await chain.client.getBlockNumber() }
    for (const [place] of await loggedPlaces(openRpc(chain.rpcUrl), world.settings.chain, range)) {
      const [hash, log] = place.split(' ')
      await sql`insert into chain.resolver_changes (chain_id, block_number, block_hash, log_index)
        values (${chain.chainId}, ${startBlock}, ${hash}, ${log})`.execute(market.index)
    }
  }
  const pay = async () => {
    const { trade, row } = await paid(market)
    honest.push(row)
    return { trade, row }
  }
  const show = async (rows: readonly TransferRow[]) => {
    await indexTransfers(market.index, rows)
    await indexTo(market.index, await chain.client.getBlockNumber())
  }
  /** A worker that has just started: its first pass is a sweep. */
  const sweep = (progress = new Progress()) => settle(market.services, progress)
  /** The same worker's next sweep: what it found before, it knows. */
  const sweepAgain = (progress: Progress) => {
    progress.enterEpoch('another', 0n)
    return sweep(progress)
  }
  const findings = async () => {
    await reconcile(market.services)
    const last = await world.db
      .selectFrom('market.reconciliations')
      .select('findings')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    return (last.findings as unknown as { code: string }[]).map(({ code }) => code)
  }
  const beDeep = () => chain.client.mine({ blocks: DEPTH + 8 })
  const stateOf = async (trade: Trade) => (await orderOf(world, trade)).state
  const checkpoints = () =>
    world.db.selectFrom('market.sweep_checkpoints').selectAll().orderBy('block_number', 'desc').execute()
  const newest = async () => {
    const [checkpoint] = await checkpoints()
    if (!checkpoint) throw new Error('there is no checkpoint')
    return checkpoint
  }
  /** A row that no node confirms. Whoever reads it cannot have caught up. */
  const lieAt = (block: bigint, row: TransferRow): TransferRow => ({
    ...row,
    block_number: block,
    block_hash: newHash(),
    transaction_hash: newHash(),
    authorization_nonce: newHash(),
  })

  test('names the block of an event that the index keeps back at two sweeps in a row, and the reconciler finds its money', async () => {
    const [hidden, shown] = [await pay(), await pay()]
    await mineBlocks(chain, 8)
    await show(honest.filter((row) => row !== hidden.row))
    const progress = new Progress()
    await sweep(progress)
    expect(await stateOf(shown.trade)).to.equal('funded')
    expect(market.alarms()).to.deep.equal([])
    await sweepAgain(progress)
    expect(market.lines).to.containSubset([
      { alarm: true, msg: 'the index lacks events that the nodes log', blocks: [`${hidden.row.block_number}`] },
    ])
    expect(await stateOf(hidden.trade)).to.equal('placed')
    expect(await findings()).to.include('wallet/balance')

    await mineBlocks(chain, 1)
    await show(honest)
    market.lines.length = 0
    await sweepAgain(progress)
    expect(await stateOf(hidden.trade)).to.equal('funded')
    expect(await findings()).to.deep.equal([])
    expect(market.alarms()).to.deep.equal([])
  })

  test('moves the checkpoint over blocks that are whole, and the next one begins there, whatever the index shows below', async () => {
    const { trade, row } = await pay()
    await beDeep()
    await show(honest)
    await sweep()
    expect(await stateOf(trade)).to.equal('funded')
    const { block_number: at, block_hash: hash, open_blocks: open } = await newest()
    const head = await chain.client.getBlockNumber()
    expect(at).to.equal(head - BigInt(world.settings.chain.confirmations) - BigInt(DEPTH))
    expect(hash).to.equal((await chain.client.getBlock({ blockNumber: at })).hash)
    expect(open).to.deep.equal([])

    // An index that was built anew, and shows nothing below, or another thing.
    const restarted = new Progress()
    await show([lieAt(at, row)])
    await sweep(restarted)
    expect(restarted.isCaughtUp).to.equal(true)
    const reading = new Progress()
    await show([...honest, lieAt(at + 1n, row)])
    await sweep(reading)
    expect(reading.isCaughtUp).to.equal(false)
    expect(await stateOf(trade)).to.equal('funded')
  })

  test('moves it over no block of which the index keeps an event back, and acts on that event once it is shown', async () => {
    const [hidden, shown] = [await pay(), await pay()]
    await beDeep()
    await show(honest.filter((row) => row !== hidden.row))
    await sweep()
    expect(await stateOf(shown.trade)).to.equal('funded')
    expect(await checkpoints()).to.deep.equal([])
    expect(market.alarms()).to.deep.equal(['the index lacks events that the nodes log'])

    await show(honest)
    await sweep()
    expect(await stateOf(hidden.trade)).to.equal('funded')
    expect((await newest()).block_number > hidden.row.block_number).to.equal(true)
  })

  test('looks again at the block of an event that could not be processed, and at no other below', async () => {
    const { trade, row } = await pay()
    await sql`insert into market.holds (id, order_id, status, payer, amount_micros, deposit_nonce, deposit_tx)
      values (gen_random_uuid(), ${trade.orderId}, 'held', '0x', 1, '0x', '0x')`.execute(world.db)
    await beDeep()
    await show(honest)
    await sweep()
    expect((await newest()).open_blocks.map(BigInt)).to.deep.equal([row.block_number])
    await chain.client.mine({ blocks: 20 })
    await show([lieAt(row.block_number - 1n, row), ...honest])
    await sql`delete from market.holds where order_id = ${trade.orderId}`.execute(world.db)
    await sweep()
    expect(await stateOf(trade)).to.equal('funded')
    await chain.client.mine({ blocks: 20 })
    await show(honest)
    await sweep()
    expect((await newest()).open_blocks).to.deep.equal([])
  })

  test('has not caught up while the nodes deny an event of an open block, though they confirm all blocks after it', async () => {
    const { trade, row } = await pay()
    await sql`insert into market.holds (id, order_id, status, payer, amount_micros, deposit_nonce, deposit_tx)
      values (gen_random_uuid(), ${trade.orderId}, 'held', '0x', 1, '0x', '0x')`.execute(world.db)
    await beDeep()
    await show(honest)
    await sweep()
    expect((await newest()).open_blocks.map(BigInt)).to.deep.equal([row.block_number])
    await sql`delete from market.holds where order_id = ${trade.orderId}`.execute(world.db)
    await show([...honest.filter((one) => one !== row), lieAt(row.block_number, row)])
    const progress = new Progress()
    await sweep(progress)
    expect(progress.isCaughtUp).to.equal(false)
    await show(honest)
    await sweep(progress)
    expect(progress.isCaughtUp).to.equal(true)
  })

  test('begins below a checkpoint that a reorganisation removed, and acts on what is there now', async () => {
    await chain.client.mine({ blocks: 20 })
    const leave = await forkPoint(chain)
    await beDeep()
    await show(honest)
    await sweep()
    const { block_number: removed } = await newest()
    await leave()
    const { trade, row } = await pay()
    expect(row.block_number <= removed).to.equal(true)
    await beDeep()
    await beDeep()
    await show(honest)
    await sweep()
    expect(await stateOf(trade)).to.equal('funded')
    const known = await checkpoints()
    for (const { block_number: blockNumber, block_hash: hash } of known)
      expect((await chain.client.getBlock({ blockNumber })).hash).to.equal(hash)
  })

  test('keeps a checkpoint that a lagging node has not reached yet', async (t) => {
    await beDeep()
    await show(honest)
    await sweep()
    const { block_number: at } = await newest()
    const lagging = await startLiar(chain)
    t.after(() => lagging.stop())
    lagging.twist('eth_getBlockByNumber', () => null)
    expect(await newestCheckpoint({ ...market.services, rpc: lagging.client })).to.equal(undefined)
    expect(await newestCheckpoint(market.services)).to.have.property('number', at)
  })

  test('begins below an event that was reversed, from the same transaction on', async () => {
    const { trade, row } = await pay()
    await beDeep()
    await show(honest)
    await sweep()
    expect((await newest()).block_number >= row.block_number).to.equal(true)
    const key = `payment:${row.sender}:${row.authorization_nonce}`
    const rolledBack = world.run(async (tx) => {
      await reverseEvent(tx, world.settings, key)
      throw new Error('a crash')
    })
    await rolledBack.catch(() => {})
    expect((await newest()).block_number >= row.block_number).to.equal(true)
    await world.run((tx) => reverseEvent(tx, world.settings, key))
    const above = (await checkpoints()).filter(({ block_number: block }) => block >= row.block_number)
    expect(above).to.deep.equal([])
    // The chain has the event after all, as after a reorganisation and back.
    expect((await orderOf(world, trade)).suspended_at).to.not.equal(null)
    await sweep()
    expect((await orderOf(world, trade)).suspended_at).to.equal(null)
  })

  test('and a checkpoint that is being recorded wait for each other', async () => {
    const { row } = await pay()
    await beDeep()
    await show(honest)
    await market.pass()
    await sql`delete from market.sweep_checkpoints`.execute(world.db)
    const reversed = Promise.withResolvers<void>()
    const mayCommit = Promise.withResolvers<void>()
    const reversal = world.run(async (tx) => {
      await reverseEvent(tx, world.settings, `payment:${row.sender}:${row.authorization_nonce}`)
      reversed.resolve()
      await mayCommit.promise
    })
    await reversed.promise
    // It finds every event processed, and waits before it records so.
    const sweeping = sweep()
    await untilWaiting(world)
    mayCommit.resolve()
    await Promise.all([reversal, sweeping])
    const [checkpoint] = await checkpoints()
    const isOpen = checkpoint?.open_blocks.map(BigInt).includes(row.block_number) ?? true
    expect(isOpen || (checkpoint?.block_number ?? 0n) < row.block_number).to.equal(true)
  })
})

/** Waits until somebody waits for the table of the checkpoints. */
async function untilWaiting({ db }: World): Promise<void> {
  const waiting = async () => {
    const { rows } = await sql`
      select from pg_locks where not granted and relation = 'market.sweep_checkpoints'::regclass`.execute(db)
    return rows.length
  }
  await until('somebody waits for the table of the checkpoints', waiting)
}
