import { after, before, describe } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import { closeIntent, repeatIntent, requestIntent, retryIntent, voidIntents } from '../../api/payments/chain/intents.ts'
import { applyChainEvent } from '../../api/payments/settlement/internal/applyChainEvent.ts'
import { reverseEvent } from '../../api/payments/settlement/internal/reorgReversal.ts'
import type { Tx } from '../../api/platform/db/pool.ts'
import type { JobServices } from '../../api/platform/jobs/services.ts'
import { expireUnpaid } from '../../api/trading/orders/payment/expireUnpaid.ts'
import { acceptUndecided } from '../../api/trading/orders/work/accept.ts'
import { cancelOrder } from '../../api/trading/orders/work/cancel.ts'
import { newId } from '../../protocol/encoding/ids.ts'
import {
  fullCredits,
  fundedEvent,
  paymentEvent,
  reclaimedEvent,
  releasedEvent,
} from '../kit/api/payments/escrow/chainEvents.ts'
import { funded } from '../kit/api/payments/escrow/custody/trades.ts'
import { release } from '../kit/api/payments/escrow/release.ts'
import {
  newAddress,
  newTrade,
  PRICE,
  setState,
  startWorld,
  type Trade,
  type World,
} from '../kit/api/payments/escrow/world.ts'
import { idleNode, runIn } from '../kit/between/money.ts'
import { describeStage, openWatcher, type Watcher } from '../kit/between/stage.ts'

describe('orders and their intents, with somebody else acting in between', { timeout: 600_000 }, () => {
  let world: World
  let watcher: Watcher
  let services: JobServices

  before(async () => {
    world = await startWorld()
    watcher = await openWatcher(world.databaseUrl)
    const { settings, serviceDb: db } = world
    // The chain's time is a second after 1970, so an offer is over only if a test has dated it so.
    services = { db, settings, rpc: idleNode(settings.chain.chainId, 1n), log: pino({ level: 'silent' }) }
  })
  after(async () => {
    await watcher?.stop()
    await world?.stop()
  })

  const run = <Answer>(verb: (tx: Tx) => Promise<Answer>) => runIn(world, verb)
  const settleIt = (event: Parameters<typeof applyChainEvent>[2]) =>
    run((tx) => applyChainEvent(tx, world.settings, event))
  const cancel = (trade: Trade, by: 'buyer' | 'seller') =>
    run(async (tx) => void (await cancelOrder(tx, trade[by].call, trade.orderId, 'other')))
  const withPayment = (trade: Trade) => {
    const second = newAddress()
    return { trade, second, paid: paymentEvent(trade), again: paymentEvent(trade, { from: second }) }
  }
  const bindSecond = (trade: Trade, second: ReturnType<typeof newAddress>) =>
    world.db.insertInto('market.wallet_owners').values({ address: second, owner_id: trade.buyer.humanId }).execute()

  describeStage<ReturnType<typeof withPayment>>(
    {
      title: 'an order in custody whose offer is over and that is unpaid',
      arrange: async () => {
        const trade = await newTrade(world, 'custodied', { payer: 'wallet' })
        const scene = withPayment(trade)
        await bindSecond(trade, scene.second)
        await sql`update market.orders set valid_before = 'epoch' where id = ${trade.orderId}`.execute(world.db)
        return scene
      },
      acts: {
        'its payment': ({ paid }) => settleIt(paid),
        'a payment by another wallet of the buyer': ({ again }) => settleIt(again),
        'its withdrawal': ({ trade }) => cancel(trade, 'buyer'),
        'the job that expires it': () => expireUnpaid(services),
      },
    },
    () => watcher,
  )

  describeStage<{ trade: Trade; held: ReturnType<typeof fundedEvent>; again: ReturnType<typeof fundedEvent> }>(
    {
      title: 'an order of the contract that is unpaid',
      arrange: async () => {
        const trade = await newTrade(world, 'contract', { payer: 'wallet' })
        const second = newAddress()
        await bindSecond(trade, second)
        return { trade, held: fundedEvent(world, trade), again: fundedEvent(world, trade, second) }
      },
      acts: {
        'its hold': ({ held }) => settleIt(held),
        'a hold by another wallet of the buyer': ({ again }) => settleIt(again),
        'its withdrawal': ({ trade }) => cancel(trade, 'seller'),
        'a direct payment that could be adopted': ({ trade }) => settleIt(paymentEvent(trade, { holdId: null })),
      },
    },
    () => watcher,
  )

  describeStage<{ trade: Trade; key: string }>(
    {
      title: 'a delivered order in custody that its buyer has not decided in time',
      arrange: async () => {
        const { trade, deposit } = await funded(world)
        await setState(world, trade, 'delivered')
        const due = { accept_by: new Date(0) }
        await world.db.updateTable('market.orders').set(due).where('id', '=', trade.orderId).execute()
        return { trade, key: `payment:${deposit.from}:${deposit.nonce}` }
      },
      acts: {
        'its acceptance': ({ trade }) => run((tx) => acceptUndecided(tx, world.settings, trade.orderId)),
        'its cancellation by the seller': ({ trade }) => cancel(trade, 'seller'),
        'a reorganisation that removes its payment': ({ key }) => run((tx) => reverseEvent(tx, world.settings, key)),
        'a release by hand': ({ trade }) =>
          run((tx) => release(tx, world.settings, trade.orderId, { refundMicros: PRICE })),
      },
    },
    () => watcher,
  )

  describeStage<{ trade: Trade; held: ReturnType<typeof fundedEvent> }>(
    {
      title: 'an accepted order of the contract',
      arrange: async () => {
        const trade = await newTrade(world, 'contract')
        const held = fundedEvent(world, trade)
        await world.settle(held)
        await setState(world, trade, 'delivered')
        const due = { accept_by: new Date(0) }
        await world.db.updateTable('market.orders').set(due).where('id', '=', trade.orderId).execute()
        await world.run((tx) => acceptUndecided(tx, world.settings, trade.orderId))
        return { trade, held }
      },
      acts: {
        'its release by the contract': ({ held }) => settleIt(releasedEvent(held, fullCredits(held))),
        'its reclaim by the payer': ({ held }) => settleIt(reclaimedEvent(held)),
        'a reorganisation that removes its hold': ({ held }) =>
          run((tx) => reverseEvent(tx, world.settings, `funded:${held.holdId}`)),
        'its hold, mined again': ({ held }) => settleIt(held),
      },
    },
    () => watcher,
  )

  const name = (orderId: string) => ({ key: `sweep:${orderId}`, orderId })
  const sweep = { kind: 'sweep', sequence: 1n, amount: 5n } as const
  const idOf = async (orderId: string) => {
    const rows = world.db.selectFrom('market.intents').select('id').where('order_id', '=', orderId)
    return (await rows.executeTakeFirstOrThrow()).id
  }
  const newIntent = async () => {
    const orderId = newId()
    await world.run((tx) => requestIntent(tx, name(orderId), sweep))
    return { orderId, id: await idOf(orderId) }
  }

  describeStage<{ orderId: string; id: string }>(
    {
      title: 'an open intent',
      arrange: newIntent,
      acts: {
        'its failure and retry': ({ id }) => run((tx) => retryIntent(tx, id)),
        'a request of the same': ({ orderId }) => run((tx) => requestIntent(tx, name(orderId), sweep)),
        'its end': ({ orderId }) => run((tx) => closeIntent(tx, name(orderId).key, 'settled')),
        'the end of its order': ({ orderId }) => run((tx) => voidIntents(tx, orderId)),
      },
    },
    () => watcher,
  )

  describeStage<{ orderId: string; id: string }>(
    {
      title: 'an intent that the chain fulfilled and lost',
      arrange: async () => {
        const scene = await newIntent()
        await world.run((tx) => closeIntent(tx, name(scene.orderId).key, 'settled'))
        return scene
      },
      acts: {
        'its repetition': ({ orderId }) => run((tx) => repeatIntent(tx, name(orderId).key)),
        'a request of the same': ({ orderId }) => run((tx) => requestIntent(tx, name(orderId), sweep)),
        'the end of its order': ({ orderId }) => run((tx) => voidIntents(tx, orderId)),
      },
    },
    () => watcher,
  )
})
