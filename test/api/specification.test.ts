import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { servedRoutes } from '../../api/app.ts'
import { problems } from '../../api/modules.ts'
import { openApiDocument } from '../../api/platform/http/openapi/openapi.ts'
import { requestSandboxFunds } from '../../api/sandbox/routes.ts'
import { versionAdapters } from '../../api/versions/adapt.ts'
import { ROOT } from '../../cli/machine/paths.ts'
import { describedIn } from '../kit/api/platform/http/contract/described.ts'

/** Each member of a request that the specification names (4): whether the operation takes it. */
const REQUEST_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  'POST /v1/accounts/humans': ['display_name', 'email'],
  'POST /v1/accounts/agents': ['owner_urn', 'display_name', 'description'],
  'POST /v1/me/tokens': ['owner_urn', 'scopes'],
  'POST /v1/me/wallets': ['address'],
  'POST /v1/me/wallets/verify': ['address', 'signature'],
  'POST /v1/asks': ['title', 'description', 'price', 'auto_accept_seconds', 'sla_seconds'],
  'GET /v1/search': ['q', 'limit', 'cursor'],
  'POST /v1/orders': ['ask_urn', 'bid_urn', 'quote_urn', 'escrow_mode'],
  'GET /v1/orders': ['role', 'state', 'limit', 'cursor'],
  'POST /v1/orders/{urn}/fund': ['signed_authorization'],
  'POST /v1/orders/{urn}/cancel': ['reason_code'],
  'POST /v1/messages': ['thread_urn', 'kind', 'payload', 'body'],
  'POST /v1/receipts/{urn}/sign': ['accept', 'reason'],
  'POST /v1/disputes': ['order_urn', 'opener_urn', 'claim', 'evidence'],
  'POST /v1/reputation/queries': ['subject_urn', 'conditions'],
  'POST /v1/webhooks': ['url', 'event_types'],
  'GET /v1/events': ['subjects'],
  'GET /v1/ws': ['subjects'],
}

/** The members of the answers that the specification names (4), by the status of success. */
const ANSWER_MEMBERS: Readonly<Record<string, readonly [status: number, ...members: string[]]>> = {
  'POST /v1/accounts/humans': [201, 'urn', 'display_name', 'email', 'created_at'],
  'POST /v1/accounts/agents': [201, 'urn', 'owner_urn', 'display_name', 'description', 'created_at'],
  'POST /v1/me/tokens': [201, 'urn', 'secret'],
  'POST /v1/me/wallets': [201, 'challenge'],
  'POST /v1/asks': [201, 'urn', 'seller_urn', 'title', 'description', 'price', 'auto_accept_seconds', 'version'],
  'GET /v1/asks/{urn}': [200, 'urn', 'active', 'created_at', 'updated_at'],
  'GET /v1/search': [200, 'asks'],
  'POST /v1/orders': [
    402,
    'order_urn',
    'token',
    'network',
    'amount',
    'recipient',
    'nonce',
    'valid_after',
    'valid_before',
  ],
  'GET /v1/orders': [200, 'orders', 'next_cursor'],
  'GET /v1/threads/{urn}/messages': [200, 'thread_urn', 'messages'],
  'GET /v1/receipts/{urn}': [200, 'urn', 'order_urn', 'disputed'],
  'GET /v1/reputation/{urn}': [
    ...([200, 'urn', 'weighted_rating_avg', 'weighted_dispute_loss_rate', 'weighted_volume_usdc'] as const),
    ...(['unweighted_count', 'composite_score', 'alpha', 'weighting_function', 'as_of'] as const),
  ],
  'POST /v1/reputation/queries': [200, 'result', 'supporting', 'as_of', 'signature'],
  'POST /v1/webhooks': [201, 'subscription', 'secret'],
}

/** Returns what the list of statements has in backticks, of a pattern. */
const listed = (pattern: RegExp) => readFileSync(`${ROOT}test/specification.md`, 'utf8').match(pattern) ?? []

describe('the list of what the specification says', () => {
  const operations = describedIn(
    openApiDocument([...servedRoutes, requestSandboxFunds], problems, versionAdapters, 'http://127.0.0.1'),
  )
  const served = new Map(operations.map((each) => [`${each.method.toUpperCase()} ${each.path}`, each]))

  it('names operations that are served', () => {
    const operations = listed(/(?<=`)[A-Z]+ \/[^`]+(?=`)/g)
    expect(operations).to.have.length.above(75)
    expect(operations.filter((each) => !served.has(each))).to.deep.equal([])
  })

  it('names codes of the workspace that have their status', () => {
    const known = problems.map(({ name, status }) => `${status} ${name.replaceAll('-', '_')}`)
    const codes = listed(/(?<=`)\d{3} \w+(?=`)/g).map((each) => each.replace(' ', ' workspace/'))
    expect(codes).to.have.length(7)
    expect(codes.filter((each) => !known.includes(each))).to.deep.equal([])
  })

  for (const [endpoint, members] of Object.entries(REQUEST_MEMBERS)) {
    it(`${endpoint} takes what the specification names`, () => {
      const operation = served.get(endpoint)
      const body = operation?.requestBody?.content['application/json']?.schema
      const taken = [...membersOf(body), ...(operation?.parameters ?? []).map(({ name }) => name)]
      expect(taken).to.include.members([...members])
    })
  }

  for (const [endpoint, [status, ...members]] of Object.entries(ANSWER_MEMBERS)) {
    it(`${endpoint} answers ${status} with what the specification names`, () => {
      const answer = served.get(endpoint)?.responses[status]?.content?.['application/json']?.schema
      expect(membersOf(answer)).to.include.members(members)
    })
  }
})

/** The names of a schema's members, also of its parts. */
function membersOf(schema: Record<string, unknown> = {}): string[] {
  const parts = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((each) => (each ?? []) as Record<string, unknown>[])
  return [...Object.keys((schema.properties ?? {}) as object), ...parts.flatMap(membersOf)]
}
