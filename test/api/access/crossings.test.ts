import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { servedRoutes } from '../../../api/app.ts'
import type { RouteDefinition } from '../../../api/platform/http/route/route.ts'
import { urnString } from '../../../protocol/encoding/urn.ts'
import type { Reply } from '../../kit/api/platform/http/api.ts'
import { AUDITED, watchAuditLog } from '../../kit/api/platform/http/contract/audited.ts'
import { type Operation, readOperations } from '../../kit/api/platform/http/contract/document.ts'
import { FURTHER_CALLS } from '../../kit/api/platform/http/contract/furtherCalls.ts'
import { type IdMember, idMembersOf } from '../../kit/api/platform/http/contract/idMembers.ts'
import { MAKERS } from '../../kit/api/platform/http/contract/objects.ts'
import { RULES, type Rule } from '../../kit/api/platform/http/contract/rules.ts'
import { crossed, type Slot, slotsOf } from '../../kit/api/platform/http/contract/slots.ts'
import { furnish, type Naming, placeIn, type World } from '../../kit/api/platform/http/contract/things.ts'
import { startMarket, type TestMarket } from '../../kit/api/trading.ts'

/** A call that goes well, by the owner of what it names. */
type GoodCall = Pick<Rule, 'name' | 'owner' | 'ok' | 'version' | 'stranger'>

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
/** The id of somebody else is taken: anybody may name the object. */
const PUBLISHED: Readonly<Record<string, readonly string[]>> = {
  'sellers publish it': ['getAgent urn', 'listAgentAsks urn', 'getAsk urn', 'listAskVersions urn', 'getAskVersion urn'],
  'buyers publish it': ['getBid urn', 'createQuote body.bid_urn'],
  'anybody may order': ['placeOrder body.ask_urn'],
  'anybody may be invited': ['inviteOrgMember body.human_urn'],
  'agents publish their keys': ['getAgentKeys urn'],
  'receipts and ratings are public': ['getReceipt urn', 'verifyReceipt urn', 'getRating urn', 'getReputation urn'],
  'reputation is public': ['queryReputation body.subject_urn'],
  'the list is public': ['searchAsks query.seller_urn', 'listRatings query.seller_urn'],
  'operators see all webhooks': ['listAllWebhooks query.owner_urn'],
}
/** The id of somebody else is taken as the id of nothing: the answer has an empty list, or counts 0. */
const IGNORED = [
  ...['listQuotes query.bid_urn', 'listOrders query.counterparty_urn', 'listTasks query.assignee'],
  ...['markNotificationsRead body.ids.0', 'markTradeNotificationsRead body.ids.0'],
]
/** Two accounts read the same in it: what is published. */
const SAME_FOR_ALL: readonly string[] = ['searchAsks', 'listBids']
/** Nothing is there yet in a new market. */
const EMPTY_AT_FIRST = ['listInclusions']

describe('the id of an object of another account or org', { concurrency: false }, () => {
  let market: TestMarket
  let ours: World
  let theirs: World
  const operations = new Map<string, Operation>()
  /** The actions that each operation wrote to the audit log. */
  const audited = new Map<string, ReadonlySet<string>>()
  before(async () => {
    market = await startMarket()
    ours = await furnish(market)
    theirs = await furnish(market)
    for (const operation of await readOperations(market.api)) operations.set(operation.id, operation)
  })
  after(() => market.stop())

  const send = (route: RouteDefinition, good: GoodCall, world: World, naming: Naming): Promise<Reply> =>
    market.api.send(route.method.toUpperCase(), placeIn(route.path, naming), {
      token: ownerOf(world, good),
      ...(naming.body === undefined ? {} : { body: naming.body }),
      ...(naming.raw === undefined ? {} : { raw: naming.raw }),
      redirect: 'manual',
      headers: { 'market-version': good.version ?? '2026-05-17', ...naming.headers },
    })

  /**
   * Puts each id of their call into ours, one at a time; then makes both calls as they are. Returns the
   * places of the ids.
   */
  const crossCalls = async (route: RouteDefinition, good: GoodCall): Promise<Slot[]> => {
    const [own, foreign] = [await good.name(ours), await good.name(theirs)]
    const slots = slotsOf(route.path, own, foreign)
    // An operator may name every object, but not two that do not belong together.
    const isFree = good.owner === 'operator' && slots.length < 2
    // A trade between the worlds would tie them together.
    const isTie = (slot: Slot) => route.method !== 'get' && isPublished(route, slot)
    for (const slot of isFree ? [] : slots.filter((one) => !isTie(one)))
      expectRefused(route, good, slot, await send(route, good, ours, crossed(own, foreign, slot)))
    const theirAnswer = await send(route, good, theirs, foreign)
    const written = await watchAuditLog(market.api)
    const ourAnswer = await send(route, good, ours, own)
    const entries = await written()
    const actions = entries.map(({ action }) => action)
    audited.set(route.operationId, new Set([...(audited.get(route.operationId) ?? []), ...actions]))
    const actors = ['service', ...(await urnsOf(ours, good))]
    for (const { action, actor } of entries) expect(actor, `the actor of ${action}`).to.be.oneOf(actors)
    for (const { status, body } of [theirAnswer, ourAnswer])
      expect(status, `its owner is answered ${JSON.stringify(body)}`).to.equal(good.ok)
    if (route.method === 'get' && good.owner !== 'operator' && !SAME_FOR_ALL.includes(route.operationId)) {
      const common = idsIn(theirAnswer).filter((id) => idsIn(ourAnswer).includes(id))
      expect(common, 'ids that both accounts are shown').to.deep.equal([])
    }
    return slots
  }

  /** Adds an optional member to our call: the id of an object of theirs, then of one of ours. */
  const crossMember = async (route: RouteDefinition, good: GoodCall, member: IdMember, kind: string) => {
    const make = MAKERS[kind]
    if (!make) throw new Error(`${member.name} names an object that objects.ts cannot make: ${kind}`)
    const [own, foreign] = [await good.name(ours), await good.name(theirs)]
    const [id, foreignId] = [await make(ours, own.path?.org ?? ''), await make(theirs, foreign.path?.org ?? '')]
    const slot = [member.place, member.name]
    expectRefused(route, good, slot, await send(route, good, ours, withMember(own, member, foreignId)))
    const reply = await send(route, good, ours, withMember(own, member, id))
    expect(reply.status, `${member.name} of our own: ${JSON.stringify(reply.body)}`).to.equal(good.ok)
  }

  // Lists come last, when there is something that they could show.
  const routes = servedRoutes.filter(({ access }) => access !== 'public').sort((a, b) => rank(a) - rank(b))
  for (const route of routes)
    it(`is as the id of nothing for ${route.operationId}`, async (context) => {
      const operation = operations.get(route.operationId)
      if (!operation) throw new Error(`${route.operationId} is not described`)
      const calls = goodCallsOf(route, operation)
      const slots = (await Array.fromAsync(calls, (good) => crossCalls(route, good))).flat()
      const isTried = ({ place, name }: IdMember) =>
        slots.some(([part, member]) => part === place && (member === name || part === 'query'))
      const members = idMembersOf(operation).filter((member) => !isTried(member))
      for (const member of members)
        for (const kind of member.kinds) await crossMember(route, calls[0] ?? listCall(route), member, kind)
      const places = [...slots.map((slot) => slot.join('.')), ...members.map(({ place, name }) => `${place}.${name}`)]
      if (places.length > 0) context.diagnostic([...new Set(places)].join(' '))
    })

  // The matrix is a call of every operation, so it also shows what each writes to the audit log.
  it('writes the listed actions to the audit log when its owner names it', () => {
    const written = [...audited].map(([id, actions]) => [id, [...actions].sort().join(' ')])
    expect(Object.fromEntries(written.filter(([, actions]) => actions !== ''))).to.deep.equal(AUDITED)
  })
})

/**
 * Returns the ways to call an operation that the matrix knows; for one that names nothing, the plain call of
 * a read.
 */
function goodCallsOf(route: RouteDefinition, { parameters }: Operation): GoodCall[] {
  const rule = RULES[route.operationId]
  const named = [...(rule ? [rule] : []), ...(FURTHER_CALLS[route.operationId] ?? [])]
  if (named.length === 0 && route.path.includes('{'))
    throw new Error(`${route.operationId} has no rule: give it one in test/kit/api/platform/http/contract/rules.ts`)
  const isPlain = route.method === 'get' && !route.socket && !parameters.some(({ required }) => required)
  return named.length === 0 && isPlain && !EMPTY_AT_FIRST.includes(route.operationId) ? [listCall(route)] : named
}

function listCall({ access }: RouteDefinition): GoodCall {
  const as = access === 'public' ? 'any' : access.as
  const owner = as === 'operator' ? 'operator' : as === 'human' ? 'buyerHuman' : 'buyer'
  return { name: async () => ({}), owner, ok: 200 }
}

/** Throws an AssertionError unless an answer treats the id of somebody else's object as it should. */
function expectRefused({ operationId }: RouteDefinition, good: GoodCall, slot: Slot, reply: Reply): void {
  const place = `${operationId} ${slot.join('.')}`
  const answer = `${place}: ${reply.status} ${JSON.stringify(reply.body)}`
  if (isPublished({ operationId }, slot)) {
    expect(reply.status, answer).to.equal(good.ok)
  } else if (IGNORED.includes(place)) {
    const [found] = Object.values(reply.body)
    expect(found, answer).to.deep.equal(Array.isArray(found) ? [] : 0)
  } else {
    const isUnknown = reply.status === 404 && String(reply.body.type).endsWith('resource/not-found')
    // Of a public object the caller may be told that it is not theirs.
    const isNamed =
      [400, 403, 422].includes(reply.status) && slot.includes(String(reply.body.field).split('.')[0] ?? '')
    const isAsForStrangers = reply.status >= 400 && reply.status === good.stranger?.status
    expect(isUnknown || isNamed || isAsForStrangers, answer).to.equal(true)
  }
}

function isPublished({ operationId }: Pick<RouteDefinition, 'operationId'>, slot: Slot): boolean {
  return Object.values(PUBLISHED)
    .flat()
    .includes(`${operationId} ${slot.join('.')}`)
}

function rank({ method, path }: RouteDefinition): number {
  return method === 'get' && !path.includes('{') ? 1 : 0
}

function idsIn({ body }: Reply): string[] {
  return JSON.stringify(body ?? '').match(UUID) ?? []
}

function withMember(naming: Naming, { place, name, isList }: IdMember, id: string): Naming {
  if (place === 'body') return { ...naming, body: { ...(naming.body as object), [name]: isList ? [id] : id } }
  return { ...naming, query: `${naming.query ?? ''}${naming.query ? '&' : '?'}${name}=${encodeURIComponent(id)}` }
}

/** The URNs that the caller may act under. */
async function urnsOf({ market, buyer, seller }: World, { owner }: GoodCall): Promise<string[]> {
  if (owner === 'operator') {
    const { body } = await market.api.send('GET', '/v1/me', { token: market.api.first.operator_token })
    return [urnString('human', (body.urn as { body: string }).body)]
  }
  const { humanId, agentId } = owner === 'seller' ? seller : buyer
  return [urnString('human', humanId), urnString('agent', agentId)]
}

function ownerOf({ market, buyer, seller }: World, { owner }: GoodCall): string {
  if (owner === 'operator') return market.api.first.operator_token
  if (owner === 'buyerHuman') return buyer.humanToken
  return owner === 'buyer' ? buyer.token : seller.token
}
