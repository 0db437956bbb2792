import { after, before, describe } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import pino from 'pino'
import type { Hex } from 'viem'
import { Progress } from '../../api/payments/chain/progress.ts'
import { settle } from '../../api/payments/settlement/settle.ts'
import type { IndexedServices } from '../../api/platform/jobs/services.ts'
import { type ForgedIndex, forgeIndex, indexTo } from '../kit/api/payments/chain/forgedIndex.ts'
import { orderOf } from '../kit/api/payments/escrow/read.ts'
import { newHash, newTrade, PRICE, startWorld, type Trade, type World } from '../kit/api/payments/escrow/world.ts'
import { type ChainPayment, type ForkedChain, startForkedChain } from '../kit/between/forkedChain.ts'
import { describeStage, IS_DEEP, openWatcher, type Watcher } from '../kit/between/stage.ts'
import type { TestChain } from '../kit/chain/node.ts'

/** Scenes are so far apart that no pass looks again at the blocks of the last one. */
const APART = 600n

describe('a pass of settle, with another worker or the chain acting in between', { timeout: 600_000 }, () => {
  let world: World
  let watcher: Watcher
  let chain: ForkedChain
  let index: ForgedIndex
  let services: IndexedServices

  before(async () => {
    world = await startWorld()
    watcher = await openWatcher(world.databaseUrl)
    const { settings, serviceDb: db } = world
    const now = await watcher.client.query('select floor(extract(epoch from clock_timestamp()))::text as now')
    chain = startForkedChain(settings.chain, BigInt(now.rows[0].now))
    index = await forgeIndex({ client: chain.newClient(), chainId: settings.chain.chainId } as unknown as TestChain)
    services = { db, settings, rpc: chain.newClient(), index: index.reader, log: pino({ level: 'silent' }) }
  })
  after(async () => {
    await watcher?.stop()
    await index?.stop()
    await world?.stop()
  })

  interface Scene {
    trade: Trade
    payment: ChainPayment
    block: bigint
  }
  const pass = () => settle({ ...services, rpc: chain.newClient() }, new Progress(), 1)
  /** Has the index show a payment where the chain has it, from one moment to the next. */
  const show = ({ from, nonce, amount, txHash, block = -1n }: ChainPayment) =>
    sql`with gone as (delete from chain.token_transfers where transaction_hash = ${txHash})
      insert into chain.token_transfers select ${from}, ${world.settings.chain.hotWallet.toLowerCase()}, ${amount}, ${nonce},
        null, ${world.settings.chain.chainId}, ${block}, ${chain.hashOf(block)}, ${txHash}, 1 where ${block} >= 0`.execute(
      index.db,
    )
  const reorganise = (to: (block: bigint) => bigint | undefined) => async (scene: Scene) => {
    chain.fork(scene.block - 1n, scene.payment, to(scene.block))
    await show(scene.payment)
  }
  /**
   * Up to the block that the market says it has processed, it has acted on what this chain has, and on
   * nothing else.
   */
  const isTrue = async ({ trade, block, payment }: Scene) => {
    const { rows } = await sql<{ number: bigint; hash: Hex }>`
      select block_number as number, block_hash as hash from market.chain_progress`.execute(world.db)
    const [{ number, hash } = { number: 0n, hash: '0x' }] = rows
    if (chain.hashOf(number) !== hash || block >= number) return
    const { state, suspended_at } = await orderOf(world, trade)
    expect(state === 'funded' && suspended_at === null, `at block ${number}`).to.equal(payment.block !== undefined)
  }

  for (const [what, to] of [
    ['removes it', () => undefined],
    // Takes as long, and differs in what the next pass finds alone.
    ...(IS_DEEP ? [['moves it', (block: bigint) => block + 1n] as const] : []),
  ] as const)
    describeStage<Scene>(
      {
        title: `a confirmed payment, and a reorganisation that ${what}`,
        arrange: async () => {
          const trade = await newTrade(world, 'custodied')
          chain.mine(APART)
          const block = chain.head()
          const payment = {
            from: trade.payer,
            nonce: trade.order.nonce as Hex,
            amount: PRICE,
            txHash: newHash(),
            block,
          }
          chain.add(payment)
          chain.mine(5n)
          await show(payment)
          await indexTo(index.db, chain.head() + 1n)
          return { trade, payment, block }
        },
        acts: {
          'a pass': pass,
          'the reorganisation': reorganise(to),
        },
        later: async (scene) => {
          await isTrue(scene)
          await pass()
          await pass()
        },
        holds: isTrue,
      },
      () => watcher,
    )
})
