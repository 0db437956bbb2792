import { eventTypes } from '../../../api/modules.ts'
import { type PublishedEventType, publishedEventTypes } from '../../../api/platform/events/published.ts'

const INTRO = `# Event types

For everyone who reads [events](events.md): every type, when the service emits it, and the members of its payload. \`./market generate\`
writes this page. \`GET /v1/events/types\` serves the same with a JSON Schema of each envelope. A member with \`?\` is absent where it
does not apply. Ignore members that you do not know.
`

/**
 * What many payloads begin with, by its name on the page, and a type that has exactly these members. The
 * longest comes first.
 */
const SHARED = { dispute: 'dispute.responded', order: 'order.accepted', org: 'page.created' } as const

type Shared = readonly (readonly [word: string, members: readonly string[]])[]

/** Returns docs/event-types.md: every type of event, when it is emitted, and its payload. */
export function eventCatalogue(): string {
  const types = publishedEventTypes(eventTypes)
  const shared = Object.entries(SHARED).map(
    ([word, name]) => [word, types.filter(({ event_type }) => event_type === name).flatMap(membersOf)] as const,
  )
  const list = (isSpecified: boolean) =>
    types
      .filter(({ is_specified }) => is_specified === isSpecified)
      .map((type) => `- \`${type.event_type}\`: ${type.when} ${payloadOf(membersOf(type), shared)}\n`)
      .join('')
  const described = shared.map(
    ([word, members], index) => `- *${word}*: ${payloadOf(members, shared.slice(index + 1))}\n`,
  )
  return `${INTRO}
Many payloads begin with the same members:

${described.join('')}
## Specified

${list(true)}
## Further types

${list(false)}`
}

/** Returns the members of a payload, with one word in place of those that it shares. */
function payloadOf(members: readonly string[], shared: Shared): string {
  const [word, common = []] = shared.find(([, some]) => some.every((member) => members.includes(member))) ?? []
  return [...(word ? [`*${word}*`] : []), ...members.filter((member) => !common.includes(member))].join(' ')
}

function membersOf({ schema }: PublishedEventType): string[] {
  const { payload } = schema.properties as { payload: { properties: Record<string, unknown>; required?: string[] } }
  const required = payload.required ?? []
  return Object.keys(payload.properties).map((name) => `\`${name}${required.includes(name) ? '' : '?'}\``)
}
