import { z } from 'zod'
import type { UrnPrefix } from '../../../protocol/encoding/urn.ts'

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** The people who are notified of an event: the owners of the agents in a trade. */
export interface Telling {
  /** The text of the notification. It names no one and nothing. */
  title: string
  /**
   * Members of the payload with URNs of agents, whose owners are notified. Without it: everyone who may see
   * the event.
   */
  to?: readonly string[]
  /** The member with the URN of the agent that acted. Its owner is not notified. */
  by?: string
  /**
   * A change of the account that a thief might have made: its owner is notified at once by every channel,
   * whatever the preferences are, and even if a stolen token marks it as read.
   */
  isUrgent?: true
  /** Events whose `kind` is one of these accompany another event that already notifies. */
  exceptKinds?: readonly string[]
}

/** A type of event: its name, when it is emitted, and the schema of its payload. */
export interface EventType<Payload extends z.ZodObject = z.ZodObject> {
  name: string
  when: string
  payload: Payload
  /** The market's specification lists it (6.3). */
  isSpecified?: true
  /**
   * It belongs to an org: members read it, only webhooks of orgs receive it, and `*` does not match it
   * (workspace spec 6.1).
   */
  isOfOrg?: true
  /** When an account receives it, EventReceived is announced. */
  announcesReceipt?: true
  /** The people who are notified. */
  tells?: Telling
}

/** Types of events, by their names. */
export type EventTypes = Readonly<Record<string, EventType>>

/** The payload of a type of event. */
export type PayloadOf<Type extends EventType> = z.output<Type['payload']>

/** Declares types of events, by their names. `api/modules.ts` lists what every folder declares. */
export function defineEvents<const Types extends Readonly<Record<string, Omit<EventType, 'name'>>>>(
  types: Types,
): { readonly [Name in keyof Types & string]: EventType<Types[Name]['payload']> } {
  const named = Object.entries(types).map(([name, type]) => [name, { name, ...type }])
  return Object.fromEntries(named)
}

/** A URN in a payload: a string (spec 6.2). */
export function urnIn(...prefixes: [UrnPrefix, ...UrnPrefix[]]) {
  return z.string().regex(new RegExp(`^market:(${prefixes.join('|')}):${UUID}$`))
}

/** An amount in a payload: a decimal string with six fractional digits. */
export const amountIn = z.string().regex(/^(0|[1-9][0-9]*)\.[0-9]{6}$/)

/** A time in a payload: ISO 8601 in UTC. */
export const timeIn = z.iso.datetime()

/** A hash in a payload: hex. */
export const sha256In = z.string().regex(/^[0-9a-f]{64}$/)
