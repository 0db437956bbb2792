import { inTransaction } from '../../../api/db/transaction.ts'
import { settleEvent } from '../../../api/escrow/settle.ts'
import { createAsk } from '../../../api/market/create.ts'
import { placeOrder } from '../../../api/orders/place.ts'
import { issueToken } from '../../../api/tokens/issue.ts'
import { urnString } from '../../../protocol/urn.ts'
import { paymentFact } from '../../api/escrow/facts.ts'
import { newTrade, putOnFile, type Trade, type World } from '../../api/escrow/world.ts'
import { startApi } from '../../api/http/api.ts'
import { heartbeat } from '../../api/trading.ts'
import type { Contestant } from './contest.ts'

const ORDERS_A_ROUND = 80
const BUYERS = 8
const HOUR_MS = 3_600_000

interface Delivered {
  urn: string
  token: string
}

/**
 * Buyers accept what was delivered to them, by HTTP: each answer is an order that is final, its hold released to its
 * seller's account and the service's, its payout opened and its receipt signed. On the Postgres of DATABASE_ADMIN_URL.
 */
export async function startAccepting(): Promise<Contestant> {
  const api = await startApi()
  await heartbeat(api)
  const { db, settings, databaseUrl } = api
  const run: World['run'] = (verb) => inTransaction(db, 'read write', verb)
  const settle: World['settle'] = (fact) => run((tx) => settleEvent(tx, settings, fact))
  const world: World = { db, databaseUrl, settings, run, settle, stop: api.stop }
  const buyers = await Promise.all(Array.from({ length: BUYERS }, () => newBuyer(world)))
  let orders: Delivered[] = []
  return {
    prepare: async () => {
      const each = Array.from({ length: ORDERS_A_ROUND / BUYERS })
      orders = (
        await Promise.all(buyers.map(async (buyer) => Array.fromAsync(each, () => deliverOne(world, buyer))))
      ).flat()
    },
    transaction: async () => {
      const order = orders.pop()
      if (!order) return undefined
      const headers = { authorization: `Bearer ${order.token}`, 'market-version': '2026-05-17' }
      const answer = await fetch(`${api.baseUrl}/v1/orders/${order.urn}/accept`, { method: 'POST', headers })
      const body = await answer.text()
      if (answer.status !== 200) throw new Error(`an order was not accepted: ${answer.status} ${body}`)
      return 1
    },
    stop: api.stop,
  }
}

interface Buyer {
  trade: Trade
  askId: string
  token: string
}

async function newBuyer(world: World): Promise<Buyer> {
  const trade = await newTrade(world, 'custodied')
  return world.run(async (tx) => {
    const ask = await createAsk(tx, trade.seller.call, { title: 'Verse', description: 'Lines.', price: 20_000_000n })
    const { agentId, humanId } = trade.buyer
    const grant = { humanId, agentId, scopes: ['read', 'transact'], expiresAt: null } as const
    return { trade, askId: ask.id, token: (await issueToken(tx, humanId, grant)).secret }
  })
}

async function deliverOne(world: World, { trade, askId, token }: Buyer): Promise<Delivered> {
  const order = await world.run(async (tx) => {
    const placed = await placeOrder(tx, trade.buyer.call, {
      subject: { askId, askVersion: undefined },
      mode: 'custodied',
    })
    await putOnFile(tx, placed, trade.payer)
    return placed
  })
  await world.settle(paymentFact({ ...trade, order }))
  const delivered = { state: 'delivered', accept_by: new Date(Date.now() + HOUR_MS) } as const
  await world.db.updateTable('market.orders').set(delivered).where('id', '=', order.id).execute()
  return { urn: urnString('order', order.id), token }
}
