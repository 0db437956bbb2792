import { describe, it } from 'node:test'
import pg from 'pg'
import { Problem } from '../../../api/errors.ts'
import { blurred, type Changes, openChanges } from './changes.ts'
import { type Ending, type Met, meetAt } from './statements.ts'

/**
 * All pairs and places are tried; otherwise the pairs of the first act, at the places at which something else
 * can come of it.
 */
export const IS_DEEP = process.env.MARKET_TEST_DEEP === '1'

/** Acts that can meet, and the state that they meet in. */
export interface Stage<Scene> {
  title: string
  /** Makes the state anew. What is made differs in ids, hashes and times alone. */
  arrange: () => Promise<Scene>
  /** By what they do, the one first that all others are about. Each meets each other one, and itself. */
  acts: Readonly<Record<string, (scene: Scene) => Promise<unknown>>>
  /** Runs when both have ended: what the service does later anyway, as the next pass of a job. */
  later?: (scene: Scene) => Promise<unknown>
  /** Throws if something does not hold that holds whatever the two did. */
  holds?: (scene: Scene) => Promise<unknown>
  /** The acts are of sessions of their own, which do one thing at a time: none meets itself. */
  isOnce?: boolean
}

/** A session as the database's owner, apart from those of the acts. */
export interface Watcher {
  client: pg.Client
  changes: Changes
  stop: () => Promise<void>
}

/** Opens a watcher. Sessions that are opened after that find deadlocks at once. */
export async function openWatcher(databaseUrl: string): Promise<Watcher> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    `do $$ begin execute format('alter database %I set deadlock_timeout = 20', current_database()); end $$`,
  )
  return { client, changes: await openChanges(client), stop: () => client.end() }
}

/**
 * Declares a test for each two acts: the second one comes before each statement of the first in turn. What
 * comes of them is what would have come of one after the other: the same rows are written, and the same is
 * returned or thrown.
 */
export function describeStage<Scene>(stage: Stage<Scene>, watcher: () => Watcher): void {
  describe(stage.title, () => {
    for (const [first, other] of pairsOf(stage))
      it(`${first}, and ${other === first ? 'the same' : other} between any two of its statements`, () =>
        meetEverywhere(stage, [first, other], watcher()))
  })
}

function pairsOf<Scene>({ acts, isOnce }: Stage<Scene>): (readonly [string, string])[] {
  const names = Object.keys(acts)
  const isTried = (first: string, other: string) =>
    (IS_DEEP || first === names[0] || other === names[0]) && !(isOnce && first === other)
  return names.flatMap((first) =>
    names.filter((other) => isTried(first, other)).map((other) => [first, other] as const),
  )
}

/** What came of one act after another, by stage and their names. */
const known = new WeakMap<object, Map<string, Outcome>>()

async function oneAfterTheOther<Scene>(
  stage: Stage<Scene>,
  names: readonly [string, string],
  watcher: Watcher,
): Promise<Outcome> {
  const outcomes = known.get(stage) ?? new Map<string, Outcome>()
  known.set(stage, outcomes)
  // The very first time, a service writes what it writes once, as a key that it draws.
  if (outcomes.size === 0) {
    for (const act of Object.values(stage.acts)) {
      const scene = await stage.arrange()
      await act(scene).catch(() => {})
      await stage.later?.(scene)
    }
  }
  const key = names.join('\n')
  const outcome = outcomes.get(key) ?? (await outcomeAt(stage, names, watcher, Number.POSITIVE_INFINITY))
  outcomes.set(key, outcome)
  return outcome
}

/** What came of two acts, in a form that is the same for two scenes. */
interface Outcome {
  lines: readonly string[]
  met: Met
}

async function meetEverywhere<Scene>(stage: Stage<Scene>, names: readonly [string, string], watcher: Watcher) {
  const [first, other] = names
  const after = await oneAfterTheOther(stage, [first, other], watcher)
  const [others, firsts, ...rows] = (await oneAfterTheOther(stage, [other, first], watcher)).lines
  const serial = [[firsts ?? '', others ?? '', ...rows], after.lines]
  let place = IS_DEEP ? 2 : nextPlace(1, { ...after.met, blockedBy: undefined })
  while (place <= after.met.sent.length) {
    const outcome = await outcomeAt(stage, names, watcher, place)
    if (!serial.some((lines) => lines.join('\n') === outcome.lines.join('\n')))
      throw new Error(explain(names, place, outcome, serial))
    if (outcome.met.deadlocks > 0) throw new Error(`deadlock: ${explain(names, place, outcome, serial)}`)
    place = IS_DEEP ? place + 1 : nextPlace(place, outcome.met)
  }
}

/**
 * Returns the next place at which something else can come of it. Nothing has been read when a transaction
 * begins; and while the other act waits for a lock, it would wait for the same one at each later place in the
 * transaction.
 */
function nextPlace(place: number, { sent, blockedBy }: Met): number {
  const end = sent.findIndex(({ text, session }, at) => at + 1 >= place && session === blockedBy && isEnd(text))
  const next = blockedBy === undefined || end === -1 ? place + 1 : end + 2
  return BEGINS.test(sent[next - 2]?.text ?? '') ? next + 1 : next
}

const BEGINS = /^(start transaction|begin)/

function isEnd(text: string): boolean {
  return text === 'commit' || text === 'rollback'
}

async function outcomeAt<Scene>(
  { arrange, acts, later, holds }: Stage<Scene>,
  [first, other]: readonly [string, string],
  { client, changes }: Watcher,
  place: number,
): Promise<Outcome> {
  const scene = await arrange()
  const mark = await changes.mark()
  const act = (name: string) => async () => acts[name]?.(scene)
  const met = await meetAt(place, act(first), act(other), client)
  await later?.(scene)
  await holds?.(scene)
  const [ending, others] = met.endings.map(wordOf)
  return { lines: [`${first}: ${ending}`, `${other}: ${others}`, ...(await changes.since(mark))], met }
}

function wordOf(ending: Ending): string {
  if ('returned' in ending) return blurred(ending.returned)
  const { threw } = ending
  if (threw instanceof Problem) return `throws ${threw.problem}`
  if (threw instanceof pg.DatabaseError) return `throws ${threw.code} ${blurred(threw.message)}`
  return `throws ${blurred(threw instanceof Error ? threw.message : threw)}`
}

/** Says where the other act came, and how each serial order differs from what came of it. */
function explain(
  [first, other]: readonly [string, string],
  place: number,
  { lines, met: { sent } }: Outcome,
  serial: readonly (readonly string[])[],
): string {
  const short = (text = 'its end') => text.replaceAll(/\s+/g, ' ').slice(0, 200)
  const differs = (order: string, expected: readonly string[] = []) => [
    `not as ${order}:`,
    ...without(expected, lines).map((line) => `  - ${line}`),
    ...without(lines, expected).map((line) => `  + ${line}`),
  ]
  return [
    `${other}, between two statements of ${first}:`,
    `  ${short(sent[place - 2]?.text)}`,
    `  ${short(sent[place - 1]?.text)}`,
    ...differs(`${other}, then ${first}`, serial[0]),
    ...differs(`${first}, then ${other}`, serial[1]),
  ].join('\n')
}

/** Returns the lines of one list that another one lacks, as often as it lacks them. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return lines.filter((line) => {
    const at = left.indexOf(line)
    if (at === -1) return true
    left.splice(at, 1)
    return false
  })
}
