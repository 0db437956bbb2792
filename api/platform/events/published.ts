import { z } from 'zod'
import type { EventTypes } from './eventType.ts'

/** A type of event as it is published: when it is emitted, and the JSON Schema of its envelope. */
export interface PublishedEventType {
  event_type: string
  when: string
  is_specified: boolean
  is_of_org: boolean
  schema: Record<string, unknown>
}

/** Returns types of events in their wire form, by name, for clients and documentation. */
export function publishedEventTypes(types: EventTypes): PublishedEventType[] {
  const sorted = Object.values(types).sort((one, other) => (one.name < other.name ? -1 : 1))
  return sorted.map(({ name, when, payload, isSpecified = false, isOfOrg = false }) => {
    const envelope = z.object({
      event_id: z.uuid(),
      event_type: z.literal(name),
      payload,
      created_at: z.iso.datetime(),
    })
    // The input form of the schema, because clients ignore members that they do not know.
    const schema = z.toJSONSchema(envelope, { io: 'input' }) as Record<string, unknown>
    return { event_type: name, when, is_specified: isSpecified, is_of_org: isOfOrg, schema }
  })
}
