import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { askModels } from '../api/trading/disputes/work/askModels.ts'
import { arbitrateDisputes } from '../api/trading/disputes/work/deadlines.ts'
import { startWorld } from '../test/kit/api/payments/escrow/world.ts'
import { jobServices } from '../test/kit/api/trading/disputes/arbitration.ts'
import { says, startEndpoint, verdict } from '../test/kit/api/trading/disputes/model/endpoint.ts'
import { disputeIn } from '../test/kit/api/trading/disputes/world.ts'
import { type BenchRow, figure, judged, percentile } from './rows.ts'

const DISPUTES = 100
const ENDPOINT_MS = 20_000
const GOAL_SECONDS = 90

/**
 * Measures how long disputes are before a model whose every answer takes 20 s, when 100 come at once: from
 * the close of evidence to the verdict.
 */
export async function bench(): Promise<BenchRow[]> {
  const [world, endpoint] = [await startWorld(), await startEndpoint()]
  try {
    world.settings.model = endpoint.settings()
    for (let count = 0; count < DISPUTES; count++) await disputeIn(world, 'custodied', 'arbitrating')
    let [open, most] = [0, 0]
    endpoint.answer(async (received, response) => {
      open += 1
      most = Math.max(most, open)
      await delay(ENDPOINT_MS)
      open -= 1
      await says(verdict())(received, response)
    })
    const begunMs = performance.now()
    await arbitrateDisputes(jobServices(world))
    const ruledMs = performance.now()
    await askModels(jobServices(world))
    const endedMs = performance.now()
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from verdict.signed_at - waiting.created_at)::float as seconds
      from market.verdicts verdict join market.arbitrations waiting on waiting.dispute_id = verdict.dispute_id
      where verdict.kind = 'model'`.execute(world.db)
    const seconds = rows.map((row) => row.seconds + (ruledMs - begunMs) / 1_000)
    const median = percentile(seconds, 0.5)
    return [
      figure('disputes decided by the model', seconds.length, ''),
      judged(figure('close of evidence to verdict, median', median, 's'), `< ${GOAL_SECONDS}`, median < GOAL_SECONDS),
      figure('close of evidence to verdict, p99', percentile(seconds, 0.99), 's'),
      figure('all of them', (endedMs - begunMs) / 1_000, 's'),
      figure('calls at once, at most', most, ''),
    ]
  } finally {
    await endpoint.stop()
    await world.stop()
  }
}
