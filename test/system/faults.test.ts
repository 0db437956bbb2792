import { after, before, describe, test } from 'node:test'
import { SERVICES } from '../../cli/stack/services.ts'
import { createTraders, type FaultStack, type Scene, startFaultStack } from '../e2e/faultStack.ts'
import { expectCleanAudit } from '../e2e/settlement.ts'
import { MODES } from '../e2e/trading.ts'
import { kills, killsInTheAct } from '../faults/scenes/kills.ts'
import { reorganisationOfPayouts } from '../faults/scenes/reorganisations.ts'
import { restoreDuringTrades, restores } from '../faults/scenes/restores.ts'
import { stormOfKills } from '../faults/scenes/storm.ts'

const isDeep = process.env.MARKET_TEST_DEEP !== undefined
// One mode at each moment; a deep run has both.
const modesAt = (moment: number) => (isDeep ? MODES : MODES.slice(moment % 2, (moment % 2) + 1))

describe('a market whose processes are killed, its database restored and its chain reorganised', {
  timeout: 800_000,
}, () => {
  let running: FaultStack | undefined
  let scene: Scene

  before(async () => {
    running = await startFaultStack()
    scene = { ...running, ...(await createTraders(running)) }
  })

  after(() => running?.stop())

  killsInTheAct(
    () => scene,
    modesAt,
    // A kill costs as long as the locks of its jobs, six seconds: a deep run tries every commit.
    isDeep ? { committers: ['api', 'worker'], commitStep: 1 } : { committers: ['worker'], commitStep: 4 },
  )
  // test/e2e kills the facilitator so. The others are killed in the act above, and by the storm.
  kills(() => scene, isDeep ? ['postgres', ...SERVICES.filter((name) => name !== 'facilitator')] : ['indexer'])
  stormOfKills(() => scene)
  reorganisationOfPayouts(() => scene)
  if (isDeep) restoreDuringTrades(() => scene)
  // The last ones: they leave orders that wait for a person, so that the books match no more.
  restores(() => scene, isDeep)

  test('an auditor finds nothing', () => expectCleanAudit(scene))
})
