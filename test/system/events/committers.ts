import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Db, openPool } from '../../../api/platform/db/pool.ts'
import { emit } from '../../../api/platform/events/emit.ts'
import { orderEvents } from '../../../api/trading/orders/record/module.ts'
import { newId } from '../../../protocol/encoding/ids.ts'
import { urnString } from '../../../protocol/encoding/urn.ts'

const AT_ONCE = 8
const ORDERS_OF_A_PAIR = 5
const MOST_EVENTS = 5
const PAUSE_MS = 60
const RETRY_MS = 100

/** A trade between two agents, about which events are written. */
interface Trade {
  orderUrn: string
  parties: readonly [string, string]
}

/**
 * Writes so many events from transactions that overlap, each about an order of two of the agents. A
 * transaction that fails because the database was killed is not repeated: whether it was committed is in the
 * database.
 */
export async function commitEvents(databaseUrl: string, agents: readonly string[], count: number): Promise<void> {
  const db = openPool(databaseUrl, { max: AT_ONCE, onError: () => {} })
  const trades = agents.flatMap((one, place) =>
    agents.slice(place + 1).flatMap((other) => Array.from({ length: ORDERS_OF_A_PAIR }, () => newTrade(one, other))),
  )
  let written = 0
  const committer = async () => {
    while (written < count) {
      try {
        const committed = await commitSome(db, trades)
        written += committed
        await delay(randomInt(PAUSE_MS))
      } catch {
        await delay(RETRY_MS)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, committer))
  await db.destroy()
}

async function commitSome(db: Db, trades: readonly Trade[]): Promise<number> {
  const events = 1 + randomInt(MOST_EVENTS)
  return db.transaction().execute(async (tx) => {
    for (let n = 0; n < events; n++) {
      const { orderUrn, parties } = trades[randomInt(trades.length)] as Trade
      const [buyer_urn, seller_urn] = parties.map((id) => urnString('agent', id)) as [string, string]
      const order = {
        order_urn: orderUrn,
        price: '20.000000',
        escrow_mode: 'custodied',
        buyer_urn,
        seller_urn,
      } as const
      await emit(tx, orderEvents['order.funded'], { payload: { ...order, state: 'funded' }, visibleTo: parties })
      // Others commit meanwhile.
      await delay(randomInt(10))
    }
    return events
  })
}

function newTrade(one: string, other: string): Trade {
  return { orderUrn: urnString('order', newId()), parties: [one, other] }
}
