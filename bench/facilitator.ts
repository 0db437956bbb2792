import { randomUUID } from 'node:crypto'
import type { IntentOf } from '../protocol/payments/intents.ts'
import { freeAccount, mintUsdc, newTerms, signForHold } from '../test/kit/chain/payments.ts'
import {
  type Bench,
  endFacilitator,
  facilitatorSpec,
  request,
  startBench,
  startFacilitator,
} from '../test/kit/facilitator/facilitator.ts'
import { startDurableDatabase } from '../test/kit/stack/database.ts'
import { type Blast, makeReady, startBlast } from './blast.ts'
import { type OutcomeWatch, watchOutcomes } from './intents.ts'
import { cpuSecondsOf } from './processTime.ts'
import { type BenchRow, beside, figure, judged, percentile } from './rows.ts'

const ROUNDS = 4
const SETTLEMENTS = 200
const IN_FLIGHT = 100
const CONFIRMATIONS = 2
const PRICE_MICROS = 100_000n
const BUYERS = 8
const BUYERS_MICROS = 10_000_000_000n
const GOAL = 0.7

/**
 * What one round took: its rate, each settlement's time, and what share of the time the node was computing.
 */
interface Round {
  perSecond: number
  latenciesMs: number[]
  nodeShare: number
}

/**
 * Payments into holds, 100 in flight, by the facilitator and by a blast on the same node and the same durable
 * Postgres, in turns. The first turn of each warms it up and does not count.
 */
export async function bench(): Promise<BenchRow[]> {
  const database = await startDurableDatabase()
  const bench = await startBench({ database })
  const blaster = freeAccount(BUYERS)
  const blast = startBlast(bench.chain, database.url, blaster, CONFIRMATIONS)
  const outcomes = watchOutcomes(database.url)
  const facilitator = await startFacilitator(facilitatorSpec(bench, benchSettings(bench)))
  try {
    for (let buyer = 0; buyer < BUYERS; buyer++) {
      await mintUsdc(bench.chain, freeAccount(buyer).address, BUYERS_MICROS)
    }
    const rounds: { ours: Round; floor: Round; cpu: number }[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const floor = await blastRound(bench, blast)
      const fundings = await newFundings(bench)
      const cpuBefore = await cpuSecondsOf(facilitator.pid)
      const ours = await facilitatorRound(bench, fundings, outcomes)
      const cpu = (await cpuSecondsOf(facilitator.pid)) - cpuBefore
      if (round > 0) rounds.push({ ours, floor, cpu })
    }
    return rowsOf(rounds)
  } finally {
    await Promise.all([blast.stop(), outcomes.stop()])
    await endFacilitator(facilitator, 'SIGKILL')
    await bench.stop()
  }
}

/** The node directly, and five looks a block: as in production, where blocks are ten times slower. */
function benchSettings({ chain }: Bench): Record<string, string> {
  return { RPC_URL: chain.rpcUrl, POLL_INTERVAL_MS: '20', CONFIRMATIONS: String(CONFIRMATIONS) }
}

async function blastRound(bench: Bench, blast: Blast): Promise<Round> {
  const fundings = (await newFundings(bench)).map((payload) => ({ intentId: randomUUID(), payload }))
  const ready = await makeReady(bench.chain, freeAccount(BUYERS), fundings)
  return timeRound(bench, ready, blast.settle)
}

async function facilitatorRound(
  bench: Bench,
  fundings: readonly IntentOf<'fund'>[],
  outcomes: OutcomeWatch,
): Promise<Round> {
  // The market closes an intent as soon as it has settled: what is open is what the facilitator looks
  // through.
  await bench.client.query(
    `update market.intents set closed_at = market.now(), closing = 'settled' where closed_at is null`,
  )
  return timeRound(bench, fundings, async (payload) => {
    await outcomes.untilConfirmed(await request(bench, payload))
  })
}

async function timeRound<Item>(
  bench: Bench,
  items: readonly Item[],
  settle: (item: Item) => Promise<void>,
): Promise<Round> {
  const latenciesMs: number[] = []
  const cpuBefore = await cpuSecondsOf(bench.chain.pid)
  const startedMs = performance.now()
  let next = 0
  const lane = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) {
      const fromMs = performance.now()
      await settle(item)
      latenciesMs.push(performance.now() - fromMs)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
  const seconds = (performance.now() - startedMs) / 1000
  const nodeShare = ((await cpuSecondsOf(bench.chain.pid)) - cpuBefore) / seconds
  return { perSecond: items.length / seconds, latenciesMs, nodeShare }
}

async function newFundings({ chain }: Bench): Promise<IntentOf<'fund'>[]> {
  const seller = freeAccount(BUYERS + 1)
  return Promise.all(
    Array.from({ length: SETTLEMENTS }, async (_, index) => {
      const terms = await newTerms(chain, seller.address, PRICE_MICROS)
      const authorization = await signForHold(chain, freeAccount(index % BUYERS), terms)
      return { kind: 'fund' as const, terms, authorization }
    }),
  )
}

function rowsOf(rounds: { ours: Round; floor: Round; cpu: number }[]): BenchRow[] {
  const median = (of: (round: (typeof rounds)[number]) => number) => percentile(rounds.map(of), 0.5)
  const latency = (share: number) =>
    beside(
      `intent→receipt p${share * 100}, ${IN_FLIGHT} in flight`,
      median(({ ours }) => percentile(ours.latenciesMs, share)),
      median(({ floor }) => percentile(floor.latenciesMs, share)),
      'ms',
    )
  const rate = beside(
    'settlements',
    median(({ ours }) => ours.perSecond),
    median(({ floor }) => floor.perSecond),
    'per s',
  )
  const ratio = median(({ ours, floor }) => ours.perSecond / floor.perSecond)
  return [
    judged({ ...rate, ratio }, `at least ${GOAL}`, ratio >= GOAL),
    latency(0.5),
    latency(0.99),
    beside(
      'node computing, of one core',
      median(({ ours }) => ours.nodeShare),
      median(({ floor }) => floor.nodeShare),
      'share',
    ),
    figure('CPU of the facilitator', (median(({ cpu }) => cpu) / SETTLEMENTS) * 1000, 'ms a settlement'),
  ]
}
