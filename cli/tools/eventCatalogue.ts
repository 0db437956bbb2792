import { eventTypes } from '../../api/declarations.ts'
import { type PublishedEventType, publishedEventTypes } from '../../api/platform/events/published.ts'

const INTRO = `# Types of events

Generated from \`api/declarations.ts\`, sorted by name. \`GET /v1/events/types\` serves the same, each with the JSON Schema of its
envelope. [events.md](events.md) says how events are read. A member that ends in \`?\` is absent where it does not apply; readers
ignore members that they do not know.
`

/** Returns docs/event-types.md: every type of event, when it is emitted, and its payload. */
export function eventCatalogue(): string {
  const types = publishedEventTypes(eventTypes)
  const specified = types.filter(({ is_specified }) => is_specified)
  const further = types.filter(({ is_specified }) => !is_specified)
  return `${INTRO}\n## Specified\n\n${table(specified)}\n## Further types\n\n${table(further)}`
}

function table(types: readonly PublishedEventType[]): string {
  const rows = types.map((type) => `| \`${type.event_type}\` | ${type.when} | ${membersOf(type)} |\n`)
  return `| type | when | payload |\n|---|---|---|\n${rows.join('')}`
}

function membersOf({ schema }: PublishedEventType): string {
  const { payload } = schema.properties as { payload: { properties: Record<string, unknown>; required?: string[] } }
  const required = payload.required ?? []
  return Object.keys(payload.properties)
    .map((name) => `\`${name}${required.includes(name) ? '' : '?'}\``)
    .join(' ')
}
