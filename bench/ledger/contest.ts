import { cpuSecondsOf } from '../processTime.ts'
import { percentile } from '../rows.ts'

/** What takes part: one transaction of its kind. */
export interface Contestant {
  /** What must be there before a round begins. */
  prepare?: () => Promise<void>
  /**
   * Answers how many units were done in it; undefined where nothing is left to do, and then its turn is over.
   */
  transaction: () => Promise<number | undefined>
  stop?: () => Promise<void>
}

/**
 * One contestant's round: units a second, and units a second of CPU, of this process and of Postgres
 * together.
 */
export interface Round {
  perSecond: number
  perCpuSecond: number
}

export type Rounds = Record<string, Round[]>

/** How much was done, in how long, with how much CPU. */
interface Tally {
  units: number
  seconds: number
  cpuSeconds: number
}

interface Contest {
  rounds: number
  /** Of each contestant in each round. */
  turns: number
  turnMs: number
  clients: number
  /** The server's first process. */
  postgres: number
}

/**
 * Lets each contestant run in turns, with as many clients each, so that whatever else the machine does meets
 * them all. A round has many short turns, because how the machine serves so many clients shifts: with one
 * long turn a round, the same two contestants came out at 0.87 and at 1.03. The first round warms them up and
 * does not count.
 */
export async function contest(
  contestants: Readonly<Record<string, Contestant>>,
  { rounds, turns, ...settings }: Contest,
): Promise<Rounds> {
  const results: Rounds = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const { prepare } of Object.values(contestants)) await prepare?.()
    const tallies = await playRound(contestants, turns, settings)
    if (round === 0) continue
    for (const [name, { units, seconds, cpuSeconds }] of tallies) {
      results[name]?.push({ perSecond: units / seconds, perCpuSecond: units / cpuSeconds })
    }
  }
  return results
}

async function playRound(
  contestants: Readonly<Record<string, Contestant>>,
  turns: number,
  settings: Omit<Contest, 'rounds' | 'turns'>,
): Promise<Map<string, Tally>> {
  const tallies = new Map<string, Tally>()
  const inTurn = Object.entries(contestants)
  for (let turn = 0; turn < turns; turn++) {
    // What one leaves Postgres to write and to clean up meets the next: so every other turn goes the other
    // way.
    for (const [name, { transaction }] of turn % 2 === 0 ? inTurn : inTurn.toReversed()) {
      tallies.set(name, added(tallies.get(name), await run(transaction, settings)))
    }
  }
  return tallies
}

function added(sum: Tally = { units: 0, seconds: 0, cpuSeconds: 0 }, turn: Tally): Tally {
  return {
    units: sum.units + turn.units,
    seconds: sum.seconds + turn.seconds,
    cpuSeconds: sum.cpuSeconds + turn.cpuSeconds,
  }
}

async function run(
  transaction: Contestant['transaction'],
  { turnMs, clients, postgres }: Omit<Contest, 'rounds' | 'turns'>,
): Promise<Tally> {
  const cpuBefore = await cpuSeconds(postgres)
  const startedMs = performance.now()
  let units = 0
  const client = async () => {
    while (performance.now() - startedMs < turnMs) {
      const done = await transaction()
      if (done === undefined) return
      units += done
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const seconds = (performance.now() - startedMs) / 1_000
  return { units, seconds, cpuSeconds: (await cpuSeconds(postgres)) - cpuBefore }
}

async function cpuSeconds(postgres: number): Promise<number> {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000 + (await cpuSecondsOf(postgres))
}

/** The median of one figure of a contestant. */
export function median(rounds: Rounds, name: string, figure: keyof Round): number {
  return percentile(
    (rounds[name] ?? []).map((round) => round[figure]),
    0.5,
  )
}

/** The median over the rounds of one contestant's figure, divided by another's in the same round. */
export function medianRatio(rounds: Rounds, name: string, yardstick: string, figure: keyof Round): number {
  const other = rounds[yardstick] ?? []
  return percentile(
    (rounds[name] ?? []).map((round, index) => round[figure] / (other[index]?.[figure] ?? Number.NaN)),
    0.5,
  )
}
