import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { until } from '../until.ts'

const DEADLOCK_DETECTED = '40P01'

/** A statement that an act sent, and the session that it was sent in. */
interface Sent {
  text: string
  session: number
}

/** An act under way: its statements so far, and what is waited for before one of them is sent. */
interface Course {
  sent: Sent[]
  deadlocks: number
  before: (place: number) => Promise<void> | undefined
}

const courses = new AsyncLocalStorage<Course | undefined>()
type Query = typeof pg.Client.prototype.query
let patched: Query | undefined

/**
 * Has every connection of this process ask the course of the act that sends a statement, whatever pool it is
 * of.
 */
function patch(): void {
  const { query } = pg.Client.prototype
  if (query === patched) return
  patched = function (this: pg.Client, ...given: unknown[]) {
    const course = courses.getStore()
    if (!course) return Reflect.apply(query, this, given)
    const [statement] = given
    const text = typeof statement === 'string' ? statement : (statement as pg.QueryConfig).text
    course.sent.push({ text, session: (this as unknown as { processID: number }).processID })
    const waits = course.before(course.sent.length)
    const send = () => Reflect.apply(query, this, given)
    const answer: unknown = waits ? waits.then(send) : send()
    if (answer instanceof Promise)
      answer.catch((error: unknown) => {
        if (error instanceof pg.DatabaseError && error.code === DEADLOCK_DETECTED) course.deadlocks++
      })
    return answer
  } as Query
  pg.Client.prototype.query = patched
}

/** Counts what an act asks of somebody else than the database, as a node, as one of its statements. */
export async function asked(text: string): Promise<void> {
  const course = courses.getStore()
  if (!course) return
  course.sent.push({ text, session: 0 })
  await course.before(course.sent.length)
}

/** How an act ended. */
export type Ending = { returned: unknown } | { threw: unknown }

/** What came of an act with another one in between. */
export interface Met {
  /** The statements of the first act. */
  sent: readonly Sent[]
  /** How the two ended, the first one first. */
  endings: readonly [Ending, Ending]
  /** The session of the first act for whose lock the other one waited. */
  blockedBy: number | undefined
  deadlocks: number
}

/**
 * Runs an act, and another one before its statement at a place (counted from 1), or after the act if it sends
 * fewer. That statement is sent when the other act has ended, or waits for a lock of the first one: then the
 * first goes on. Throws if it does neither.
 */
export async function meetAt(
  place: number,
  first: () => Promise<unknown>,
  other: () => Promise<unknown>,
  watcher: pg.Client,
): Promise<Met> {
  patch()
  const others: Course = { sent: [], deadlocks: 0, before: () => undefined }
  let ended: Promise<Ending> | undefined
  let blockedBy: number | undefined
  let fault: unknown
  const begin = async () => {
    ended = courses.run(others, () => endingOf(other))
    const sessions = [...new Set(firsts.sent.map(({ session }) => session))]
    const waiting = courses.run(undefined, () => waitedFor(ended as Promise<Ending>, sessions, watcher))
    blockedBy = await waiting.catch((error: unknown) => {
      fault = error
      return undefined
    })
  }
  const firsts: Course = { sent: [], deadlocks: 0, before: (at) => (at === place ? begin() : undefined) }
  const ending = await courses.run(firsts, () => endingOf(first))
  if (!ended) await begin()
  if (fault !== undefined) throw fault
  const { sent, deadlocks } = firsts
  if (sent.length === 0) throw new Error('the first act sends no statement')
  return {
    ...{ sent, blockedBy, deadlocks: deadlocks + others.deadlocks },
    endings: [ending, await (ended as unknown as Promise<Ending>)],
  }
}

async function endingOf(act: () => Promise<unknown>): Promise<Ending> {
  try {
    return { returned: await act() }
  } catch (threw) {
    return { threw }
  }
}

/** Resolves when an act has ended, or waits for a lock of one of some sessions: then with that session. */
async function waitedFor(
  act: Promise<unknown>,
  sessions: readonly number[],
  watcher: pg.Client,
): Promise<number | undefined> {
  let isOver = false
  act.then(() => (isOver = true))
  const blocker = async () =>
    isOver ? undefined : (await watcher.query<{ blocker: number }>(BLOCKERS, [sessions])).rows[0]?.blocker
  const isThere = (found: number | undefined) => isOver || found !== undefined
  return until('the other act has ended, or waits for a lock of the first', blocker, isThere, { pollMs: 1 })
}

const BLOCKERS = `select blocker from pg_stat_activity, unnest(pg_blocking_pids(pid)) blocker
  where datname = current_database() and wait_event_type = 'Lock' and blocker = any ($1::int[]) limit 1`
