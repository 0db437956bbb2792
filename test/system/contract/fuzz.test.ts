import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { sql } from 'kysely'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { namedStatements } from '../../kit/api/platform/db/named.ts'
import type { Reply } from '../../kit/api/platform/http/api.ts'
import { type Operation, readOperations } from '../../kit/api/platform/http/contract/document.ts'
import { doEverything, ELSEWHERE } from '../../kit/api/platform/http/contract/doings.ts'
import { fitting, hostileText, type Known, like, unfitting } from '../../kit/api/platform/http/contract/inputs.ts'
import { expectDeclared, isTaken } from '../../kit/api/platform/http/contract/judge.ts'
import { furnish as furnishWorld, type World } from '../../kit/api/platform/http/contract/things.ts'
import {
  delivered,
  funded,
  newAsk,
  placed,
  read,
  startMarket,
  type TestMarket,
  type Trader,
  threadOf,
} from '../../kit/api/trading.ts'

// Calls of each operation. ./market test deep makes more.
const CALLS = process.env.MARKET_TEST_DEEP ? 300 : 4
/** As many as the pool of a test's api has. */
const CONNECTIONS = 10
/** A connection names 600: those that come last would go without. */
const MOST_NAMED = 570
const CURRENT = '2026-05-17'
const VERSIONS = ['2026-05-05', CURRENT]

type Sender = 'buyer' | 'seller' | 'stranger' | 'human' | 'sellerHuman' | 'operator' | 'nobody' | 'forger'

interface Call {
  sender: Sender
  path: string
  headers: Record<string, string | undefined>
  body: string | undefined
  /** It breaks the schema by how it was made. */
  isInvalid: boolean
}

describe('whatever is sent', () => {
  let market: TestMarket
  let operations: Operation[]
  let known: Known
  let world: World
  let tokens: Record<Sender, string | undefined>
  const tally = new Map<string, number>()
  before(async () => {
    market = await startMarket()
    Object.assign(market.api.settings.rules, { maxReads: 1_000_000, maxWrites: 1_000_000, maxAnonymous: 1_000_000 })
    operations = await readOperations(market.api)
    world = await furnishWorld(market)
    const { buyer, seller, stranger } = world
    await doEverything(world, operations)
    // A stop among it, under which nothing is paid out.
    known = await furnish(market, buyer, seller)
    tokens = {
      buyer: buyer.token,
      seller: seller.token,
      stranger: stranger.token,
      human: buyer.humanToken,
      sellerHuman: seller.humanToken,
      operator: market.api.first.operator_token,
      nobody: undefined,
      forger: `market_pat_${'A'.repeat(43)}`,
    }
  })
  after(() => market.stop())

  it('is answered as the contract says: no fault, no undeclared answer, no broken body taken, no way in without a token [risk API3]', async (context) => {
    for (const operation of operations) {
      const property = fc.asyncProperty(callsOf(operation, known), async (call) => {
        const reply = await market.api.send(operation.method, call.path, {
          headers: { ...call.headers, ...pageNotStream(operation), ...authorization(tokens[call.sender]) },
          ...(call.body === undefined ? {} : { raw: Buffer.from(call.body) }),
        })
        tally.set(String(reply.status), (tally.get(String(reply.status)) ?? 0) + 1)
        judge(operation, call, reply)
        if (operation.method !== 'GET') await revive(market)
      })
      await fc.assert(property, { numRuns: CALLS, endOnFailure: true })
    }
    const calls = [...tally.values()].reduce((sum, count) => sum + count, 0)
    const answers = [...tally].sort(([left], [right]) => left.localeCompare(right)).map((each) => each.join(' × '))
    context.diagnostic(
      `${operations.length} operations, ${market.api.taken.size} of them done; ${calls} calls; answers: ${answers.join(', ')}`,
    )
  })

  it('has been asked for everything there is to do, and did it [risk API9]', (context) => {
    const never = operations.map(({ id }) => id).filter((id) => !market.api.taken.has(id))
    for (const id of never) context.diagnostic(`not done here: ${id}: ${ELSEWHERE[id]}`)
    expect(never).to.have.members(Object.keys(ELSEWHERE))
  })

  it('has the database keep a bounded number of statements: none is named once for each length of a list', async (context) => {
    const texts = await namedStatements(market.api.serviceDb, CONNECTIONS)
    context.diagnostic(`${texts.length} texts are named`)
    const alike = Map.groupBy(texts, (text) => text.replaceAll(/\$\d+(, \$\d+)*/g, '$'))
    expect([...alike.values()].filter((each) => each.length > 1)).to.deep.equal([])
    expect(texts.length).to.be.below(MOST_NAMED)
  })
})

/** A stream never ends: its tests are in test/api/platform/events. Here it is asked for as a page. */
function pageNotStream({ answers }: Operation): Record<string, string> {
  return answers.get(200)?.media.has('text/event-stream') ? { accept: 'application/json' } : {}
}

function authorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

/** What a call that goes well revokes or ends is needed for the next one. */
async function revive({ api }: TestMarket): Promise<void> {
  await sql`update market.tokens set revoked_at = null, rotated_at = null where revoked_at is not null`.execute(api.db)
  await sql`update market.agents set deactivated_at = null where deactivated_at is not null`.execute(api.db)
}

async function furnish(market: TestMarket, buyer: Trader, seller: Trader): Promise<Known> {
  const ask = await newAsk(seller)
  const orders = [
    await placed(buyer, seller, 'custodied'),
    await placed(buyer, seller, 'contract'),
    await funded(market, await placed(buyer, seller, 'custodied')),
    await delivered(market, await placed(buyer, seller, 'contract')),
  ]
  const [, , inThread, done] = orders
  if (!inThread || !done) throw new Error('an order is missing')
  const me = await market.api.send('GET', '/v1/me', { token: buyer.token })
  const make = async (token: string, path: string, body?: unknown) =>
    (await market.api.send('POST', path, { token, ...(body === undefined ? {} : { body }) })).body.urn.body
  const bid = await make(buyer.token, '/v1/bids', { title: 'Verse', description: 'A sonnet.', max_price: '20.000000' })
  const bid_urn = urnString('bid', bid)
  const wallets = (await market.api.send('GET', '/v1/me/wallets', { token: buyer.token })).body.wallets
  return {
    bid: [bid_urn],
    quote: [urnString('quote', await make(seller.token, '/v1/quotes', { bid_urn, price: '19.000000' }))],
    org: [
      urnString('org', await make(buyer.humanToken, '/v1/me/orgs', { slug: 'verse-works', display_name: 'Verse' })),
    ],
    export: [urnString('export', await make(buyer.humanToken, '/v1/me/exports'))],
    stop: [urnString('stop', await make(market.api.first.operator_token, '/v1/payout-stops', { reason: 'A look.' }))],
    wallet: (wallets as { urn: { body: string } }[]).map(({ urn }) => urnString('wallet', urn.body)),
    ask: [urnString('ask', ask.body)],
    order: orders.map(({ urn }) => urn),
    thread: [await threadOf(inThread), await threadOf(done)],
    receipt: [urnString('receipt', (await read(done)).receipt_urn?.body ?? '')],
    agent: [buyer, seller].map(({ agentId }) => urnString('agent', agentId)),
    human: [buyer, seller].map(({ humanId }) => urnString('human', humanId)),
    token: [urnString('token', (me.body.token_urn as { body: string }).body)],
  }
}

/**
 * Calls of every kind, and as many of those that mean well: of the others hardly any gets as far as a rule of
 * the market.
 */
function callsOf(operation: Operation, known: Known): fc.Arbitrary<Call> {
  return fc.oneof(anyCallsOf(operation, known), wellMeantCallsOf(operation, known))
}

function wellMeantCallsOf(operation: Operation, known: Known): fc.Arbitrary<Call> {
  const { method, body, bodyExample, parameters } = operation
  const valuesIn = (place: string, requiredOnly: boolean) =>
    fc.record(
      Object.fromEntries(
        parameters
          .filter((parameter) => parameter.in === place && (!requiredOnly || parameter.required))
          .map(({ name, schema }) => [name, fitting(schema, known)]),
      ),
    )
  const versions = parameters.find(({ name }) => name === 'Market-Version')?.schema.enum
  const version = Array.isArray(versions) ? String(versions.at(-1)) : CURRENT
  return fc
    .record({
      path: valuesIn('path', true),
      query: valuesIn('query', true),
      sender: fc.constantFrom<Sender>('buyer', 'seller', 'human', 'sellerHuman', 'operator'),
      value:
        method !== 'GET' && body ? fc.oneof(fitting(body, known), like(bodyExample, known)) : fc.constant(undefined),
    })
    .map(({ path, query, sender, value }) => ({
      sender,
      headers: { 'market-version': version },
      body: value === undefined ? undefined : JSON.stringify(value),
      isInvalid: false,
      path: placeOf(
        operation,
        path,
        new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string])),
      ),
    }))
}

function anyCallsOf(operation: Operation, known: Known): fc.Arbitrary<Call> {
  const parameters = (place: string) => operation.parameters.filter((parameter) => parameter.in === place)
  const path = fc.record(
    Object.fromEntries(
      parameters('path').map(({ name, schema }) => [
        name,
        fc.oneof({ arbitrary: fitting(schema, known), weight: 6 }, hostileText),
      ]),
    ),
  )
  const query = fc.record(
    Object.fromEntries(
      parameters('query').map(({ name, schema }) => [
        name,
        fc.oneof({ arbitrary: fitting(schema, known), weight: 4 }, hostileText),
      ]),
    ),
    { requiredKeys: [] },
  )
  return fc
    .record({
      path,
      query,
      sender: senders,
      headers: headersOf(operation),
      body: bodyOf(operation, known),
      strange: rarely,
    })
    .map(({ path, query, sender, headers, body, strange }) => {
      const search = new URLSearchParams(
        Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]),
      )
      if (strange) search.set('unknown', '1')
      return {
        sender,
        headers,
        body: body.text,
        isInvalid: strange || body.isInvalid,
        path: placeOf(operation, path, search),
      }
    })
}

const tokenless = new Set<Sender>(['nobody', 'forger'])
const rarely = fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0)
const senders = fc.constantFrom<Sender>(
  'buyer',
  'buyer',
  'seller',
  'seller',
  'human',
  'human',
  'stranger',
  'nobody',
  'forger',
)

function placeOf(operation: Operation, path: Record<string, unknown>, search: URLSearchParams): string {
  const place = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeSegment(String(path[name])))
  return search.size === 0 ? place : `${place}?${search}`
}

// "." and ".." would be taken out on the way, and half of a surrogate pair cannot be sent.
function encodeSegment(text: string): string {
  return text === '' || /^\.+$/.test(text) ? '-' : encodeURIComponent(text.toWellFormed())
}

function headersOf({ method, parameters }: Operation): fc.Arbitrary<Record<string, string | undefined>> {
  const versions = parameters.find(({ name }) => name === 'Market-Version')?.schema.enum
  const version = fc.oneof(
    { arbitrary: fc.constantFrom(...(Array.isArray(versions) ? (versions as string[]) : VERSIONS)), weight: 20 },
    fc.constantFrom(undefined, '2027-01-01', ...VERSIONS),
  )
  const some = (value: fc.Arbitrary<string>, weight: number) =>
    fc.oneof({ arbitrary: fc.constant(undefined), weight }, value)
  const visible = fc.stringMatching(/^[!-~]{1,40}$/)
  return fc.record({
    'market-version': version,
    'idempotency-key': method === 'GET' ? fc.constant(undefined) : some(visible, 2),
    'market-agent': some(visible, 30),
    accept: some(fc.constantFrom('text/html', 'application/*', '*/*;q=0'), 30),
    'payment-signature': some(visible, 30),
  })
}

function bodyOf(
  { method, body }: Operation,
  known: Known,
): fc.Arbitrary<{ text: string | undefined; isInvalid: boolean }> {
  const json = (isInvalid: boolean) => (value: unknown) => ({ text: JSON.stringify(value), isInvalid })
  if (method === 'GET') return fc.constant({ text: undefined, isInvalid: false })
  if (!body) return fc.constantFrom({ text: undefined, isInvalid: false }, { text: '{"unknown":1}', isInvalid: true })
  return fc.oneof(
    { arbitrary: fitting(body, known).map(json(false)), weight: 10 },
    { arbitrary: unfitting(body, known).map(json(true)), weight: 3 },
    fc.oneof(hostileText, fc.json()).map((text) => ({ text: `${text}]`, isInvalid: true })),
  )
}

function judge(operation: Operation, call: Call, reply: Reply): void {
  const { status, body } = reply
  const told = `${operation.id} ${JSON.stringify(call)} → ${status} ${JSON.stringify(body).slice(0, 800)}`
  expectDeclared(operation, reply, { version: call.headers['market-version'], told })
  if (call.isInvalid) expect(isTaken(reply), `taken, and invalid: ${told}`).to.equal(false)
  if (!operation.isOpen && tokenless.has(call.sender)) expect(status, `no token: ${told}`).to.be.oneOf([400, 401, 404])
}
