import type { ProblemTypes } from '../../errors.ts'

export const eventProblems = {
  cursorExpired: { name: 'events/cursor-expired', status: 410, title: 'The log cannot continue from this cursor' },
  tooManyStreams: { name: 'events/too-many-streams', status: 429, title: 'The account has too many open streams' },
} as const satisfies ProblemTypes
