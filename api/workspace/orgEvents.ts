import { z } from 'zod'
import { defineEvents, type EventType } from '../platform/events/eventType.ts'

/**
 * The fields of every event of the workspace (workspace spec 6.2). The org reads it: it is visible to the
 * org's id.
 */
const change = z.object({
  org_id: z.uuid(),
  entity_type: z.string(),
  entity_id: z.uuid(),
  // People, agents and the org itself have none, because they are in no space.
  short_id: z.string().nullable(),
  space_id: z.uuid().nullable(),
  actor_id: z.uuid().nullable(),
  via: z.enum(['agent', 'web', 'api', 'service']),
  data: z.record(z.string(), z.unknown()),
})

/** A type of event of an org. */
export type OrgEvent = EventType<typeof change>

/**
 * Declares the types of events of a thing of the workspace (workspace spec 6.1): by name, when each is
 * emitted.
 */
export function defineOrgEvents<const Types extends Readonly<Record<string, string>>>(
  types: Types,
): { readonly [Name in keyof Types & string]: OrgEvent } {
  const declared = Object.entries(types).map(([name, when]) => [name, { when, payload: change, isOfOrg: true }])
  return defineEvents(Object.fromEntries(declared)) as { [Name in keyof Types & string]: OrgEvent }
}
