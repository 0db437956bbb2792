import { cpuSecondsOf } from '../processTime.ts'
import { percentile } from '../rows.ts'

/** What takes part: one transaction of its kind. */
export interface Contestant {
  /** What must be there before its turn begins. */
  prepare?: () => Promise<void>
  /** Answers how many units were done in it; undefined where nothing is left to do, and then its turn is over. */
  transaction: () => Promise<number | undefined>
  stop?: () => Promise<void>
}

/** One contestant's round: units a second, and units a second of CPU, of this process and of Postgres together. */
export interface Round {
  perSecond: number
  perCpuSecond: number
}

export type Rounds = Record<string, Round[]>

/**
 * Lets each contestant run in turns, with as many clients each, so that whatever else the machine does meets them all.
 * The first round warms them up and does not count. `postgres` is the server's first process.
 */
export async function contest(
  contestants: Readonly<Record<string, Contestant>>,
  { rounds, roundMs, clients, postgres }: { rounds: number; roundMs: number; clients: number; postgres: number },
): Promise<Rounds> {
  const results: Rounds = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]))
  const inTurn = Object.entries(contestants)
  for (let round = 0; round <= rounds; round++) {
    // What one leaves Postgres to write and to clean up meets the next: so every other round goes the other way.
    for (const [name, { prepare, transaction }] of round % 2 === 0 ? inTurn : inTurn.toReversed()) {
      await prepare?.()
      const result = await run(transaction, { roundMs, clients, postgres })
      if (round > 0) results[name]?.push(result)
    }
  }
  return results
}

async function run(
  transaction: Contestant['transaction'],
  { roundMs, clients, postgres }: { roundMs: number; clients: number; postgres: number },
): Promise<Round> {
  const cpuBefore = await cpuSeconds(postgres)
  const startedMs = performance.now()
  let units = 0
  const client = async () => {
    while (performance.now() - startedMs < roundMs) {
      const done = await transaction()
      if (done === undefined) return
      units += done
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const seconds = (performance.now() - startedMs) / 1_000
  return { perSecond: units / seconds, perCpuSecond: units / ((await cpuSeconds(postgres)) - cpuBefore) }
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
