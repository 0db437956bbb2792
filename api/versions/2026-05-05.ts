import { parseUrn, type UrnPrefix, urn } from '../../protocol/encoding/urn.ts'
import { Problem } from '../errors.ts'
import { problemPage } from '../platform/http/serve/problem.ts'
import { httpProblems } from '../platform/http/serve/problems.ts'
import { listMessages, type PostedMessageBody } from '../trading/threads/routes.ts'
import { withUrnObject } from '../trading/threads/wire.ts'
import type { Adapters } from './adapter.ts'

/** The time when a later version appeared (RFC 9745), and the end of support for this one (RFC 8594). */
export const headers = {
  Deprecation: `@${Date.parse('2026-05-17') / 1000}`,
  Sunset: new Date('2027-06-01').toUTCString(),
}

/** The type of a problem: the address of the page about it (spec 7). */
export function problemType(problem: string, baseUrl: string): string {
  return `${baseUrl}${problemPage(problem)}`
}

/** Where 2026-05-05 differs in shape from the current version (spec 9). */
export const adapters: Adapters = {
  // Every answer had its URNs in form A, including this one.
  postMessage: {
    downgradeResponse: ({ body }) => {
      const message = body as PostedMessageBody
      return {
        ...message,
        urn: formA('message', message.urn),
        thread_urn: formA('thread', message.thread_urn),
        sender_urn: formA('agent', message.sender_urn),
        ...(message.payload ? { payload: withUrnObject(message.payload) } : {}),
      }
    },
    answers: { 201: listMessages.answers[200].schema.shape.messages.element },
  },
  createWebhook: { upgradeRequest: refusePrefixes },
  updateWebhook: { upgradeRequest: refusePrefixes },
}

/** Webhooks had no prefix wildcards (spec 4.3). */
function refusePrefixes(body: unknown): unknown {
  const given = typeof body === 'object' && body !== null && 'event_types' in body ? body.event_types : undefined
  if (!Array.isArray(given) || !given.some((pattern) => typeof pattern === 'string' && pattern.endsWith('.*')))
    return body
  const field = 'event_types'
  throw new Problem(httpProblems.invalid, {
    detail: `${field}: in this Market-Version, list event types or use *; a prefix such as order.* exists in later ones.`,
    field,
  })
}

function formA(prefix: UrnPrefix, text: string) {
  const id = parseUrn(prefix, text)
  if (id === undefined) throw new Error(`the answer holds something that is no ${prefix} URN`)
  return urn(prefix, id)
}
