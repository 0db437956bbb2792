import { sql } from 'kysely'
import { rulesFor } from '../../../../api/config/rules.ts'
import type { MarketRules, Settings } from '../../../../api/context.ts'
import { Problem } from '../../../../api/errors.ts'
import { applyChainEvent } from '../../../../api/payments/settlement/internal/applyChainEvent.ts'
import { readClock } from '../../../../api/platform/db/clock.ts'
import type { Tx } from '../../../../api/platform/db/pool.ts'
import type { World } from '../payments/escrow/world.ts'

/** A limit or a duration of the market: what the environment can set. */
export type Rule = keyof MarketRules

/**
 * What comes of an act one step below a boundary, exactly at it, and one step above it: `yes`, `no`, or a
 * problem's type.
 */
type Answers = [below: string, at: string, above: string]

/** One below a boundary, at it, or one above it. */
export type Step = -1 | 0 | 1

/** Writes answers into a row that are not those of many rows. */
export const told = (...answers: Answers) => answers

/** It is so until the boundary, and from there on that problem. */
export const until = (problem: string) => told('yes', problem, problem)
/** It is so up to and including the boundary. */
export const upTo = (problem: string) => told('yes', 'yes', problem)
/** It is so from the boundary on. */
export const startingAt = (problem: string) => told(problem, 'yes', 'yes')

/** It is so at the boundary alone. */
export const exactly = (other: string, it: string) => told(other, it, other)

/** Something that a boundary decides, and its answers. */
export type Act<Given> = [act: (scene: Scene, given: Given, step: Step) => Promise<unknown>, ...Answers]

/** Acts that a rule, or a number that no setting changes, decides. */
export interface Boundary {
  rule: Rule | undefined
  title: string
  acts: Record<string, Answers>
  /** Tries each act three times on the same beginning. Returns what came of them. */
  play: (world: World) => Promise<Record<string, Answers>>
}

/**
 * A world within one transaction, under the rules of production. Its clock stands still between its moves.
 */
export interface Scene extends World {
  tx: Tx
  /** Moves the market's clock to so long after the beginning. */
  moveTo: (seconds: number) => Promise<void>
  /** The time so long after now. */
  timeAt: (seconds: number) => Promise<Date>
}

const STEPS = [-1, 0, 1] as const
const MS = 0.001

/**
 * A duration: the clock is moved to a millisecond before its end, to its end, and to a millisecond after it.
 */
export function windowOf<Given>(
  rule: Rule | [title: string, seconds: number],
  begin: (scene: Scene) => Promise<Given>,
  acts: Record<string, Act<Given>>,
): Boundary {
  const seconds = typeof rule === 'string' ? Number(rulesFor(false)[rule]) : rule[1]
  return boundaryOf(typeof rule === 'string' ? rule : rule[0], begin, acts, (scene, step) =>
    scene.moveTo(seconds + step * MS),
  )
}

/** An amount or a count: each act is given whether to take one less than it, exactly it, or one more. */
export function amountOf<Given>(
  rule: Rule | [title: string],
  begin: (scene: Scene) => Promise<Given>,
  acts: Record<string, Act<Given>>,
): Boundary {
  return boundaryOf(typeof rule === 'string' ? rule : rule[0], begin, acts, async () => {})
}

function boundaryOf<Given>(
  title: string,
  begin: (scene: Scene) => Promise<Given>,
  acts: Record<string, Act<Given>>,
  move: (scene: Scene, step: Step) => Promise<void>,
): Boundary {
  const answers = Object.entries(acts).map(([name, [, ...expected]]) => [name, expected] as const)
  return {
    rule: title in rulesFor(false) ? (title as Rule) : undefined,
    title,
    acts: Object.fromEntries(answers),
    play: (world) =>
      inScene(world, async (scene) => {
        const given = await begin(scene)
        const outcomes: Record<string, Answers> = {}
        for (const [name, [act]] of Object.entries(acts)) {
          const came: string[] = []
          for (const step of STEPS)
            came.push(
              await attempt(scene, async () => {
                await move(scene, step)
                return act(scene, given, step)
              }),
            )
          outcomes[name] = came as Answers
        }
        return outcomes
      }),
  }
}

class RollBack extends Error {}

/**
 * Everything happens in one transaction, which is taken back: nothing that is tried is there for the next.
 */
async function inScene<Outcome>(world: World, play: (scene: Scene) => Promise<Outcome>): Promise<Outcome> {
  const settings = { ...world.settings, rules: { ...rulesFor(false) } }
  const outcome: Outcome[] = []
  const played = world.db.transaction().execute(async (tx) => {
    const moveTo = async (seconds: number) => {
      // A whole second, since what is pinned for the chain is whole seconds.
      await sql`update sandbox.clock set shift = date_trunc('second', transaction_timestamp()) + interval '1 hour'
        + make_interval(secs => ${seconds}) - transaction_timestamp()`.execute(tx)
    }
    const timeAt = async (seconds: number) => new Date((await readClock(tx)).getTime() + seconds * 1_000)
    await moveTo(0)
    const { run, settle }: Pick<World, 'run' | 'settle'> = {
      run: (verb) => verb(tx),
      settle: (event) => applyChainEvent(tx, settings, event),
    }
    outcome.push(await play({ ...world, settings, run, settle, db: tx, serviceDb: tx, tx, moveTo, timeAt }))
    throw new RollBack()
  })
  await played.catch((error: unknown) => {
    if (!(error instanceof RollBack)) throw error
  })
  const [only] = outcome
  if (only === undefined) throw new Error('the scene was not played')
  return only
}

async function attempt({ tx }: Scene, act: () => Promise<unknown>): Promise<string> {
  await sql`savepoint attempt`.execute(tx)
  try {
    const answer = await act()
    return typeof answer === 'string' ? answer : answer === false ? 'no' : 'yes'
  } catch (error) {
    if (error instanceof Problem) return error.problem
    throw error
  } finally {
    await sql`rollback to savepoint attempt`.execute(tx)
  }
}

/** One less than a rule's amount, exactly that, or one more. */
export const micros = ({ settings }: Scene, rule: Rule, step: Step) =>
  BigInt(settings.rules[rule] as bigint) + BigInt(step)

/** The same of a count, or of a number of seconds. */
export const seconds = ({ settings }: Scene, rule: Rule, step: Step) => Number(settings.rules[rule]) + step

/** The settings with one rule changed so that what is tried is one less than it, exactly it, or one more. */
export function limiting({ settings }: Scene, rule: Rule, tried: bigint | number, step: Step): Settings {
  const limit = typeof tried === 'bigint' ? tried - BigInt(step) : tried - step
  return { ...settings, rules: { ...settings.rules, [rule]: limit } as MarketRules }
}

/** The market's time in unix seconds. */
export const nowSeconds = async ({ tx }: Scene) => BigInt(Math.floor((await readClock(tx)).getTime() / 1_000))
