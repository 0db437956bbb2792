import { z } from '@hono/zod-openapi'
import { invalid } from '../http/serve/input.ts'
import type { EventTypes } from './eventType.ts'

const MAX_SUBJECTS = 100
const MAX_TYPE_LENGTH = 100
const EVERYTHING = '*'
const WORD = '[a-z][a-z0-9_]*'
const PATTERN = new RegExp(`^(?:\\*|${WORD}\\.\\*|${WORD}(?:\\.${WORD})+)$`)
const RULE = 'must be an event type such as order.placed, <domain>.* such as order.*, or *'
const KNOWN = 'must name a type or a domain that there is: GET /v1/events/types lists them'
/** The type of a webhook's test event, which is not in the log. */
const WEBHOOK_TEST = 'webhook.test'

interface Named {
  name: string
  isOfOrg?: boolean
}

/** One pattern of event types (spec 4.3): a type, `<domain>.*` for every type of a domain, or `*`. */
export const subjectSchema = z.string().max(MAX_TYPE_LENGTH, RULE).regex(PATTERN, RULE)

/** The `subjects` of a query: patterns separated by commas. Becomes an array; without it, every type. */
export const subjectsQuery = z
  .string()
  .transform((list) => list.split(','))
  .refine((patterns) => patterns.every((pattern) => subjectSchema.safeParse(pattern).success), `each ${RULE}`)
  .refine((patterns) => patterns.length <= MAX_SUBJECTS, `may have at most ${MAX_SUBJECTS} patterns`)
  .default([EVERYTHING])

/** Throws 400 if a pattern of a query matches no type. */
export function requireKnown(types: EventTypes, patterns: readonly string[]): void {
  if (!allMatch(patterns, namedOf(types))) throw invalid('subjects', `each ${KNOWN}`)
}

/** Throws 400 if a pattern of a market webhook matches no type, or only types of orgs. */
export function requireOfMarket(types: EventTypes, patterns: readonly string[]): void {
  const field = 'event_types'
  const named = namedOf(types)
  if (!allMatch(patterns, named)) throw invalid(field, `each ${KNOWN}`)
  const ofMarket = named.filter(({ isOfOrg }) => !isOfOrg)
  if (!allMatch(patterns, ofMarket))
    throw invalid(field, 'a type of an org is sent to webhooks of that org alone: create one there')
}

/**
 * Throws 400 for the `type` in a filter of deliveries, if the webhooks of its kind (orgs, or the market)
 * never receive that type.
 */
export function requireSent(types: EventTypes, type: string | undefined, { toOrgs }: { toOrgs: boolean }): void {
  const sent = namedOf(types).filter(({ name, isOfOrg = false }) => name === WEBHOOK_TEST || isOfOrg === toOrgs)
  if (type !== undefined && !sent.some(({ name }) => name === type))
    throw invalid('type', 'must be a type that is sent to such a webhook: GET /v1/events/types lists them')
}

/** Tells whether one of the patterns names a type of orgs. */
export function namesOrgTypes(types: EventTypes, patterns: readonly string[]): boolean {
  return Object.values(types).some((type) => type.isOfOrg && matchesSubject(patterns, type))
}

/**
 * Tells whether one of the patterns matches a type. Only three patterns can: `*`, that of its domain, and the
 * type itself. `*` means every type of the market's catalogue (spec 6.3): types of orgs must be named.
 */
export function matchesSubject(patterns: readonly string[], { name, isOfOrg }: Named): boolean {
  const named = [`${name.slice(0, name.indexOf('.'))}.*`, name]
  return (isOfOrg ? named : [EVERYTHING, ...named]).some((pattern) => patterns.includes(pattern))
}

function namedOf(types: EventTypes): Named[] {
  return [...Object.values(types), { name: WEBHOOK_TEST }]
}

function allMatch(patterns: readonly string[], types: readonly Named[]): boolean {
  return patterns.every((pattern) => types.some((type) => matchesSubject([pattern], type)))
}
