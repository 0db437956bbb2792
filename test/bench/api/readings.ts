import type { Template } from './template.ts'

type Statement = Template['statements'][number]

/** What every call asks before its own business: who calls, how often, and that they are not being erased. */
const GUARD = /limits\.take|^select from market\.humans where/

/**
 * What "the same SQL" may mean, each served by the bare route under a path of its own. `same`, which the goal is for: every
 * statement of ours, its plan kept by the connection where ours is, because a bare route could do that too. `text`: each
 * is parsed and planned at every call, as such a route is usually written. `own`: without those that guard a call.
 */
export const READINGS: Record<string, (statements: readonly Statement[]) => readonly Statement[]> = {
  same: (statements) => statements,
  text: (statements) => statements.map(({ text, values }) => ({ text, values })),
  own: (statements) => statements.filter(({ text }) => !GUARD.test(text)),
}
