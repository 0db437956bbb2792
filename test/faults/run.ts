import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { STATE_DIR } from '../../cli/machine/paths.ts'
import { auditFindings } from '../e2e/books.ts'
import { moveClocksOf } from '../kit/stack/clocks.ts'
import { until } from '../kit/until.ts'
import { type Judged, judge } from './checks.ts'
import type { Fault } from './fault.ts'
import { chainFaults } from './kinds/chains.ts'
import { databaseFaults } from './kinds/databases.ts'
import { processFaults } from './kinds/processes.ts'
import { storeFaults } from './kinds/stores.ts'
import { type Load, startLoad } from './load.ts'
import { startFaultMarket } from './market.ts'
import { type Random, seeded } from './random.ts'
import { type Outcome, tableOf } from './table.ts'
import { startWitnesses } from './witnesses.ts'

const FAULTS: readonly Fault[] = [...processFaults, ...databaseFaults, ...chainFaults, ...storeFaults]
const CALM_MS = 2_000
const VIOLATION_CHARACTERS = 600
const RECOVERY_LIMIT_MS = 150_000
const RESTORED = /"signsFrom":"(\d+)".*the file was restored/g
// The blocks until a moment is confirmed.
const CONFIRMED_SECONDS = 10
const MS_PER_MINUTE = 60_000

/** What to run. */
export interface FaultRun {
  minutes: number
  seed: number
  /** Only faults whose names contain this. */
  only?: string | undefined
  print: (line: string) => void
}

/**
 * Injects every fault into a market under load, in an order that follows from the seed, then faults at random
 * until the time is over, and judges the market after each. Prints what happens. Returns the exit code: 1
 * where something did not hold.
 */
export async function runFaults({ minutes, seed, only = '', print }: FaultRun): Promise<number> {
  const logDir = join(STATE_DIR, 'logs/faults', `seed-${seed}-${process.pid}`)
  await mkdir(logDir, { recursive: true })
  const beganMs = performance.now()
  const endMs = beganMs + minutes * MS_PER_MINUTE
  const says = (text: string) => print(`${((performance.now() - beganMs) / 1_000).toFixed(1).padStart(7)} s  ${text}`)
  const chosen = FAULTS.filter(({ name }) => name.includes(only))
  const possible = chosen.filter(({ skip }) => skip === undefined)
  if (possible.length === 0) throw new Error(`There is no fault called ${only} that can be tried here.`)
  says(`seed ${seed}: --seed ${seed} repeats the order`)
  for (const { name, skip } of chosen) if (skip !== undefined) says(`left out: ${name}: ${skip}`)
  says('left out: a clock that goes back, of the database: it has no clock but its machine’s')
  const random = seeded(seed)
  const market = await startFaultMarket(logDir)
  const undo = [market.stop]
  const outcomes: Outcome[] = []
  let violations: string[] = []
  try {
    const load = await startLoad(market, seed)
    undo.push(load.end)
    const witnesses = await startWitnesses(market, load)
    undo.push(witnesses.stop)
    const judged = { market, load, witnesses }
    load.begin()
    says('the market runs, and trades')
    const plan = planOf(random, possible)
    for (let turn = 0; violations.length === 0 && (turn < possible.length || performance.now() < endMs); turn++) {
      const outcome = await tryFault(plan(turn), judged, random, says)
      outcomes.push(outcome)
      violations = outcome.violations.map((violation) => `after ${outcome.name} (${outcome.victim}): ${violation}`)
    }
    if (violations.length === 0) violations = (await finalAudit(judged)).map((finding) => `at the end: ${finding}`)
  } finally {
    for (const end of undo.toReversed()) await end()
  }
  print(`\n${tableOf(outcomes)}\n`)
  return report(violations, { seed, logDir, print })
}

async function report(
  violations: readonly string[],
  { seed, logDir, print }: Pick<FaultRun, 'seed' | 'print'> & { logDir: string },
): Promise<number> {
  for (const violation of violations) print(`VIOLATED ${violation.slice(0, VIOLATION_CHARACTERS)}`)
  if (violations.length > 0) {
    print(`Seed ${seed}. The logs of all processes: ${logDir}`)
    return 1
  }
  await rm(logDir, { recursive: true, force: true })
  print(`Nothing was lost or doubled. Seed ${seed}.`)
  return 0
}

/** Each fault once, in an order by chance; then any. */
function planOf(random: Random, faults: readonly Fault[]): (turn: number) => Fault {
  const order = random.shuffled(faults)
  return (turn) => order[turn] ?? random.pick(faults)
}

/** Injects a fault, heals it, and judges what is left. */
async function tryFault(fault: Fault, judged: Judged, random: Random, says: (text: string) => void): Promise<Outcome> {
  const { market, load } = judged
  await delay(CALM_MS)
  market.takeNotices()
  const begun = load.trades.length
  const outcome: Outcome = { name: fault.name, victim: 'nobody', violations: [], trades: 0 }
  try {
    const injectedMs = performance.now()
    const { victim, heal } = await fault.inject(market, random)
    outcome.victim = victim
    says(`${fault.name}: ${victim}`)
    await delay(fault.lastsMs)
    const healingMs = performance.now()
    await heal()
    await passRestoreWait(judged, says)
    await market.untilReady()
    outcome.readySeconds = (performance.now() - healingMs) / 1_000
    outcome.tradeSeconds = (await firstEnd(load, begun, injectedMs)) / 1_000
    const goOn = await load.drain()
    outcome.violations.push(...load.takeFailures().map((failure) => `a trade failed: ${failure}`))
    outcome.violations.push(...(await judge(judged)))
    outcome.trades = load.trades.filter(({ end }, place) => place >= begun && end === 'final').length
    goOn()
  } catch (error) {
    outcome.violations.push(...load.takeFailures(), error instanceof Error ? error.message : String(error))
  }
  for (const notice of market.takeNotices()) says(`  ${notice.split('\n', 1)[0]}`)
  const { readySeconds = 0, tradeSeconds = 0, trades, violations } = outcome
  says(
    violations.length > 0
      ? `  ${violations.length} violations`
      : `  ready ${readySeconds.toFixed(1)} s after it was healed, the first trade ${tradeSeconds.toFixed(1)} s after it was injected; ${trades} trades, all is well`,
  )
  return outcome
}

/** Waits for a trade that was begun after a moment to be done. Returns how long after the moment that was. */
async function firstEnd({ trades }: Load, begun: number, sinceMs: number): Promise<number> {
  const done = () => trades.slice(begun).flatMap(({ end, endedMs }) => (end === 'final' && endedMs ? [endedMs] : []))
  const limits = { limitMs: RECOVERY_LIMIT_MS, pollMs: 100 }
  const ended = await until('a trade is done that was begun since', done, ({ length }) => length > 0, limits)
  return Math.min(...ended) - sinceMs
}

/**
 * A facilitator that cannot know what was signed before it waits a quarter of an hour, which the chain's
 * clock passes.
 */
async function passRestoreWait({ market }: Judged, says: (text: string) => void): Promise<void> {
  const { chain } = market.stack
  const facilitators = market.processes.filter(({ service }) => service === 'facilitator')
  const moments = facilitators.flatMap(({ name }) =>
    [...market.log(name).matchAll(RESTORED)].map(([, from]) => Number(from)),
  )
  const { timestamp } = await chain.client.getBlock()
  const seconds = Math.max(0, ...moments) - Number(timestamp)
  if (seconds <= 0) return
  says(`  a facilitator signs nothing for ${seconds} s: the chain's clock passes them`)
  await moveClocksOf(market.stack, seconds + CONFIRMED_SECONDS)
}

/** An audit with the signed receipt of each trade that was paid out. */
async function finalAudit({ market, load }: Judged): Promise<string[]> {
  await load.drain()
  const done = load.trades.filter(({ end }) => end === 'final')
  const findings = await Promise.all(
    load.pairs.map((parties) => {
      const urns = done.flatMap((trade) => (trade.parties === parties && trade.placed ? [trade.placed.urn] : []))
      return auditFindings(market.stack, parties.buyer, urns)
    }),
  )
  return findings.flat().map((finding) => JSON.stringify(finding))
}
