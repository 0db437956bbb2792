import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { rulesFor } from '../../api/config/rules.ts'
import { webSettings } from '../../api/config/web.ts'
import type { Settings } from '../../api/context.ts'
import { eventTypes, noticeKinds } from '../../api/modules.ts'
import { openPool } from '../../api/platform/db/pool.ts'
import { inTransaction } from '../../api/platform/db/transaction.ts'
import { ensureSigningKeys } from '../../api/platform/signing/keys.ts'
import { reactions } from '../../api/reactions.ts'
import { finalizeReceipt } from '../../api/trading/receipts/finalize.ts'
import type { ArrivalPlan, Arrived } from './arrivals.ts'

// The thread of startArrivals. Each receipt is finalised as the worker does it, by the same verb: its
// document, signature, audit entry and reputation, in a transaction of its own, when it is due, however many
// others are still under way.

const BASE_URL = 'http://localhost'
const CONNECTIONS = 8
const ANYBODY = '0x1111111111111111111111111111111111111111'

const { databaseUrl, orderIds, perSecond } = workerData as ArrivalPlan
const db = openPool(databaseUrl, { max: CONNECTIONS, onError: () => {} })
const settings: Settings = {
  ...{ baseUrl: BASE_URL, filesUrl: BASE_URL, sandbox: true, web: webSettings(BASE_URL), rules: rulesFor(true) },
  chain: {
    ...{ chainId: 31337, escrow: ANYBODY, token: ANYBODY, hotWallet: ANYBODY, feeRecipient: ANYBODY },
    ...{ startBlock: 0n, confirmations: 2, walletFactories: [] },
  },
  webhooks: { allowsLocal: true },
  signingKey: randomBytes(32).toString('hex'),
  secretKey: randomBytes(32).toString('hex'),
  blobDirectory: '/nowhere',
  reactions,
  eventTypes,
  noticeKinds,
}
const settlementRef = `0x${'00'.repeat(32)}`

let isStopped = false
parentPort?.once('message', () => {
  isStopped = true
})
await ensureSigningKeys(db, settings)
parentPort?.postMessage('ready')
parentPort?.postMessage(await arrive())
await db.destroy()

async function arrive(): Promise<Arrived> {
  const startedMs = performance.now()
  const dueMs = (place: number) => startedMs + (place * 1_000) / perSecond
  const committedMs: number[] = []
  const arriving: Promise<number>[] = []
  for (const [place, orderId] of orderIds.entries()) {
    const earlyMs = dueMs(place) - performance.now()
    if (earlyMs > 0) await delay(earlyMs)
    if (isStopped) break
    arriving.push(
      finalize(orderId).then(() => {
        committedMs.push(performance.now())
        return performance.now() - dueMs(place)
      }),
    )
  }
  if (!isStopped) throw new Error('all receipts have arrived before the end of the measurement')
  // Those that are still under way count in neither: the wait for the last ones is no time in which others
  // could arrive.
  const [receipts, seconds] = [committedMs.length, (performance.now() - startedMs) / 1_000]
  return { receipts, seconds, lagsMs: await Promise.all(arriving) }
}

async function finalize(orderId: string): Promise<void> {
  await inTransaction(db, 'read write', async (tx) => {
    const orders = tx.selectFrom('market.orders').selectAll().where('id', '=', orderId).forUpdate()
    const order = await orders.executeTakeFirstOrThrow()
    const price = order.price_micros
    const feeMicros = price / 20n
    const split = { payerMicros: 0n, payeeMicros: price - feeMicros, feeMicros }
    await finalizeReceipt(tx, settings, order, { split, settlementRef })
  })
}
