import { SERVICES } from '../cli/stack/services.ts'
import { createParties, type Parties } from '../cli/user/demo/parties.ts'
import { sha256Hex } from '../protocol/encoding/canonical.ts'
import { urnString } from '../protocol/encoding/urn.ts'
import { signedAuthorizationFor } from '../sdk/authorization.ts'
import { marketOf } from '../test/e2e/trading.ts'
import { mintUsdc } from '../test/kit/chain/payments.ts'
import { type Stack, startStack } from '../test/kit/stack/stack.ts'
import { type HeadWatch, watchHeads } from './heads.ts'
import { type OrderWatch, watchOrders } from './orders.ts'
import { cpuSecondsOf } from './processTime.ts'
import { reconciledRows } from './reconciled.ts'
import { type BenchRow, beside, figure, percentile } from './rows.ts'
import { watchWrites } from './writes.ts'

const TRADES = 200
const IN_FLIGHT = 16
const CONFIRMATIONS = 2n
const MINING_INTERVAL_MS = 1_000
const PRICE = '1.000000'
const BUYERS_MICROS = 1_000_000_000n
const REQUESTS_A_TRADE = 4

/** When a trade's payment was taken (202), when its order was funded, and the block its money moved in. */
interface Timing {
  takenMs: number
  fundedMs: number
  depositBlock: bigint
}

/**
 * 200 trades, 16 in flight, half of them in each mode. The floor of 202→funded is the node's: the moment its
 * head made the payment's block as deep as the confirmations ask. The same for the reconciler: how far it is
 * behind that moment.
 */
export async function bench(): Promise<BenchRow[]> {
  const stack = await startStack({ miningIntervalMs: MINING_INTERVAL_MS })
  const heads = watchHeads(stack.chain)
  const orders = watchOrders(stack.databaseUrl)
  try {
    const parties = await createParties({ ...stack.credentials, base_url: stack.baseUrl })
    await mintUsdc(stack.chain, parties.buyer.account.address, BUYERS_MICROS)
    const writes = await watchWrites(stack.databaseUrl)
    const cpuBefore = await ourCpuSeconds(stack)
    const startedMs = performance.now()
    const timings = await runTrades(stack, parties, orders)
    const elapsedSeconds = (performance.now() - startedMs) / 1000
    const cpu = (await ourCpuSeconds(stack)) - cpuBefore
    return [
      ...rowsOf(timings, heads, elapsedSeconds, cpu),
      ...(await writes.end(TRADES)),
      ...(await reconciledRows(stack.databaseUrl, heads, depositsOf(timings))),
    ]
  } finally {
    await Promise.all([heads.stop(), orders.stop()])
    await stack.stop()
  }
}

async function runTrades(stack: Stack, parties: Parties, orders: OrderWatch): Promise<Timing[]> {
  const ask = await parties.seller.client.call('createAsk', {
    body: { title: 'Bench', description: 'A line of verse.', price: PRICE },
  })
  const timings: Timing[] = []
  let next = 0
  const lane = async () => {
    for (let index = next++; index < TRADES; index = next++) {
      const mode = index % 2 === 0 ? 'contract' : 'custodied'
      timings.push(await tradeOnce(stack, parties, orders, ask.body.urn, mode))
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
  return timings
}

async function tradeOnce(
  stack: Stack,
  { buyer, seller }: Parties,
  orders: OrderWatch,
  ask_urn: { prefix: string; body: string },
  escrow_mode: 'contract' | 'custodied',
): Promise<Timing> {
  const placed = await buyer.client.call('placeOrder', { body: { ask_urn, escrow_mode } })
  if (placed.status !== 402) throw new Error(`an order was answered ${placed.status}`)
  const { body: orderId } = placed.body.order_urn
  const urn = urnString('order', orderId)
  const signed_authorization = await signedAuthorizationFor(placed.body, buyer.account, marketOf(stack), {
    price: PRICE,
  })
  await buyer.client.call('fundOrder', { params: { urn }, body: { signed_authorization } })
  const takenMs = performance.now()
  const funded = await orders.until(orderId, 'funded')
  const payload = { kind: 'delivery', output_hash: sha256Hex(orderId) }
  await seller.client.call('postMessage', {
    body: { thread_urn: urnString('thread', funded.threadId), kind: 'delivery_notice', payload, body: 'Done.' },
  })
  await buyer.client.call('acceptOrder', { params: { urn } })
  await orders.until(orderId, 'final')
  const { blockNumber } = await stack.chain.client.getTransactionReceipt({ hash: funded.depositTx })
  return { takenMs, fundedMs: funded.seenMs, depositBlock: blockNumber }
}

/** The blocks that the payments moved in: each had been confirmed before the last trade was over. */
function depositsOf(timings: Timing[]) {
  const blocks = timings.map(({ depositBlock }) => Number(depositBlock))
  return { from: BigInt(Math.min(...blocks)), to: BigInt(Math.max(...blocks)), confirmations: CONFIRMATIONS }
}

function rowsOf(timings: Timing[], heads: HeadWatch, elapsed: number, cpu: number) {
  const ours = timings.map(({ takenMs, fundedMs }) => fundedMs - takenMs)
  const floors = timings.map(({ takenMs, depositBlock }) => heads.reachedMs(depositBlock + CONFIRMATIONS) - takenMs)
  const added = ours.map((oursMs, index) => oursMs - (floors[index] ?? 0))
  const row = (share: number) =>
    beside(`202→funded p${share * 100}`, percentile(ours, share), percentile(floors, share), 'ms')
  return [
    row(0.5),
    row(0.99),
    figure('added to the floor p50', percentile(added, 0.5), 'ms'),
    figure('added to the floor p99', percentile(added, 0.99), 'ms'),
    figure('trades', timings.length / elapsed, 'per s'),
    figure('requests', (timings.length * REQUESTS_A_TRADE) / elapsed, 'per s'),
    figure('CPU of our processes', cpu / timings.length, 's a trade'),
  ]
}

async function ourCpuSeconds(stack: Stack): Promise<number> {
  const used = await Promise.all(SERVICES.map((name) => cpuSecondsOf(stack.pid(name))))
  return used.reduce((sum, seconds) => sum + seconds, 0)
}
