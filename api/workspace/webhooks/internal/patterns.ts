import type { EventTypes } from '../../../platform/events/eventType.ts'
import { invalid } from '../../../platform/http/serve/input.ts'

/** The type of a webhook's own test event, which is in no log. */
const WEBHOOK_TEST = 'webhook.test'

/** Throws 400 that names the first pattern of an org's webhook that matches no event type of orgs. */
export function requireOfOrgs(types: EventTypes, patterns: readonly string[]): void {
  const ofOrgs = Object.values(types).filter(({ isOfOrg }) => isOfOrg)
  const names = [...ofOrgs.map(({ name }) => name), WEBHOOK_TEST]
  const matches = (pattern: string) =>
    names.some((name) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern))
  const wrong = patterns.findIndex((pattern) => !matches(pattern))
  if (wrong >= 0)
    throw invalid(`events.${wrong}`, 'must match a type of the workspace: GET /v1/events/types lists them')
}
