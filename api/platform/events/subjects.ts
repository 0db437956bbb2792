import { z } from '@hono/zod-openapi'
import { eventTypes } from './catalogue.ts'
import { workspaceTypes } from './workspaceTypes.ts'

const MAX_SUBJECTS = 100
const MAX_TYPE_LENGTH = 100
const EVERYTHING = '*'
const WORD = '[a-z][a-z0-9_]*'
const PATTERN = new RegExp(`^(?:\\*|${WORD}\\.\\*|${WORD}(?:\\.${WORD})+)$`)
const RULE = 'must be an event type such as order.placed, <domain>.* such as order.*, or *'
const KNOWN = 'must name a type or a domain that there is: GET /v1/events/types lists them'
/** Of a webhook's own test, which is in no log. */
const TEST = 'webhook.test'

/** One pattern of event types (spec 4.3): a type, `<domain>.*` for every type of a domain, or `*`. It must be able to match. */
export const subjectSchema = z
  .string()
  .max(MAX_TYPE_LENGTH, RULE)
  .regex(PATTERN, RULE)
  .refine((pattern) => [...Object.keys(eventTypes), TEST].some((type) => patternsOf(type).includes(pattern)), KNOWN)

/** The `subjects` of a query: patterns separated by commas. Becomes an array; without it, every type. */
export const subjectsQuery = z
  .string()
  .transform((list) => list.split(','))
  .refine(
    (patterns) => patterns.every((pattern) => subjectSchema.safeParse(pattern).success),
    `each ${RULE}; each ${KNOWN}`,
  )
  .refine((patterns) => patterns.length <= MAX_SUBJECTS, `may have at most ${MAX_SUBJECTS} patterns`)
  .default([EVERYTHING])

/**
 * Returns the only patterns that match an event type: `*`, that of its domain, and itself. `*` is everything of the market's
 * catalogue (spec 6.3): the workspace's types are asked for by name. In SQL, patterns in a text[] column match where the
 * column has one of them: `event_types && $1::text[]`.
 */
export function patternsOf(eventType: string): string[] {
  const named = [`${eventType.slice(0, eventType.indexOf('.'))}.*`, eventType]
  return eventType in workspaceTypes ? named : [EVERYTHING, ...named]
}

/** Tells whether one of the patterns names a type of the workspace. */
export function namesWorkspace(patterns: readonly string[]): boolean {
  return Object.keys(workspaceTypes).some((type) => matchesSubject(patterns, type))
}

/** Tells whether a pattern matches what is no type of the workspace. */
export function namesMarket(pattern: string): boolean {
  return [...Object.keys(eventTypes), TEST].some(
    (type) => !(type in workspaceTypes) && patternsOf(type).includes(pattern),
  )
}

/** Tells whether one of the patterns matches an event type. */
export function matchesSubject(patterns: readonly string[], eventType: string): boolean {
  return patternsOf(eventType).some((pattern) => patterns.includes(pattern))
}
