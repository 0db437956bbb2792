import type { Template } from './template.ts'

type Statement = Template['statements'][number]

/** What every call asks before its own business: who calls, how often, and that they are not being erased. */
const GUARD = /limits\.take|^select from market\.humans where/

/** How a bare route may run the same SQL. */
interface Reading {
  choose: (statements: readonly Statement[]) => readonly Statement[]
  /** Sends together what ours sends together, by the very code; otherwise each statement waits for the one before. */
  isTogether?: true
}

/**
 * What "the same SQL" may mean, each served by the bare route under a path of its own. All send the values that ours sends
 * and answer JSON. `same`, which the goal is for: every statement of ours, one after the other as a route with `pg` awaits
 * them, its plan kept by the connection where ours is, because a bare route could do that too. `together`: in as few turns
 * as ours, so that what is left between the two is the framework alone. `text`: each is parsed and planned at every call,
 * as such a route is usually written. `own`: without those that guard a call.
 */
export const READINGS: Record<string, Reading> = {
  same: { choose: (statements) => statements },
  together: { choose: (statements) => statements, isTogether: true },
  text: { choose: (statements) => statements.map(({ name: _, ...statement }) => statement) },
  own: { choose: (statements) => statements.filter(({ text }) => !GUARD.test(text)) },
}
