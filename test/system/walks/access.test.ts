import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { servedRoutes } from '../../../api/app.ts'
import type { Scope } from '../../../api/platform/db/generated/tables.ts'
import type { RouteDefinition } from '../../../api/platform/http/route/route.ts'
import { cellOf, newId } from '../../../protocol/encoding/ids.ts'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { expectProblem, type Reply } from '../../kit/api/platform/http/api.ts'
import { readOperations } from '../../kit/api/platform/http/contract/document.ts'
import { type Answered, RULES, type Rule } from '../../kit/api/platform/http/contract/rules.ts'
import { furnish, type Naming, placeIn, type World } from '../../kit/api/platform/http/contract/things.ts'
import { startMarket, type TestMarket } from '../../kit/api/trading.ts'

const SCOPES: readonly Scope[] = ['read', 'transact', 'withdraw', 'manage']
/**
 * No id of ours that anybody sees: a lease, what the limits of a token count by, what a client calls its
 * sealed text.
 */
const OWN_AFFAIRS = ['lease_id', 'spending_id', 'sealed_id']
/** Of the tables whose rows people see by their ids. */
const KINDS = [
  ...['agents', 'asks', 'attachments', 'bids', 'comments', 'deliveries', 'disputes', 'events', 'holds', 'humans'],
  ...['messages', 'notifications', 'orders', 'orgs', 'pages', 'receipts', 'sessions', 'spaces', 'tasks', 'tokens'],
  ...['wallets', 'webhook_deliveries', 'webhook_subscriptions'],
]
const URN = /market:(\w+):[0-9a-f-]{36}/g

describe('who may do what to whose', () => {
  let market: TestMarket
  let world: World
  let tokens: ReturnType<typeof refusedTokens>
  let cells = 0
  before(async () => {
    market = await startMarket()
    world = await furnish(market)
    tokens = refusedTokens(world)
  })
  after(() => market.stop())

  const call = async (route: RouteDefinition, rule: Rule, naming: Naming, token: string | undefined) => {
    cells++
    return market.api.send(route.method.toUpperCase(), placeIn(route.path, naming), {
      ...(token === undefined ? {} : { token }),
      ...(naming.body === undefined ? {} : { body: naming.body }),
      ...(naming.raw === undefined ? {} : { raw: naming.raw }),
      redirect: 'manual',
      headers: { 'market-version': rule.version ?? '2026-05-17', ...naming.headers },
    })
  }

  for (const route of servedRoutes) {
    const rule = RULES[route.operationId]
    const { access } = route
    if (!rule || access === 'public') continue

    it(`${route.operationId}: nothing, stranger, no token, no scope, revoked, ended, erased, counterparty, owner [spec 5:1 5:4 5:16 w5:1] [risk transact-token reviewer-session API1 API5]`, async () => {
      const { owner, counterparty, stranger } = tokensOf(world, rule)
      const naming = await rule.name(world)
      const nothing = await call(route, rule, namingNothing(naming), stranger)
      expectAnswer(nothing, rule.nothing ?? NOT_FOUND)
      const theirs = await call(route, rule, naming, stranger)
      expectAnswer(theirs, rule.stranger ?? NOT_FOUND)
      // What is not one's own is as what is nothing.
      if (!rule.stranger) expect({ ...theirs.body, instance: '' }).to.deep.equal({ ...nothing.body, instance: '' })
      expectProblem(await call(route, rule, naming, undefined), 401, 'auth/unauthenticated')
      if (access.scope !== 'none')
        expectProblem(
          await call(route, rule, naming, await tokens.without(access.scope, rule)),
          403,
          'auth/scope-insufficient',
        )
      expectProblem(await call(route, rule, naming, await tokens.revoked(rule)), 401, 'auth/unauthenticated')
      expectProblem(await call(route, rule, naming, world.ended.token), 401, 'auth/unauthenticated')
      await erased(world, rule, async () =>
        expectProblem(await call(route, rule, naming, owner), 401, 'auth/unauthenticated'),
      )
      expectAnswer(await call(route, rule, naming, counterparty), rule.counterparty)
      // What the counterparty did may have used it up.
      const isUsed = rule.counterparty.status < 400 && route.method !== 'get'
      expectAnswer(await call(route, rule, isUsed ? await rule.name(world) : naming, owner), { status: rule.ok })
    })
  }

  it('has a rule for every operation that names something, and for no other [spec 5:16] [risk API1]', async (context) => {
    const naming = (await readOperations(market.api)).filter(
      ({ path, body, isOpen }) =>
        !isOpen && (path.includes('{') || JSON.stringify(body ?? '').includes('"example":"market:')),
    )
    const ids = naming.map(({ id }) => id)
    const of = 'RULES of test/kit/api/platform/http/contract/rules.ts or workspaceRules.ts'
    expect(
      ids.filter((id) => !Object.hasOwn(RULES, id)),
      `give each of these a rule in ${of}`,
    ).to.deep.equal([])
    expect(
      Object.keys(RULES).filter((id) => !ids.includes(id)),
      `take these out of ${of}`,
    ).to.deep.equal([])
    context.diagnostic(`${naming.length} operations, ${cells} calls`)
  })

  it('has given every thing an id that names the cell', async (context) => {
    const { rows: columns } = await sql<{ table: string; column: string }>`
      select format('%I.%I', table_schema, table_name) as table, column_name as column from information_schema.columns
      where table_schema = 'market' and data_type = 'uuid' order by 1, 2`.execute(market.api.db)
    const seen = new Set<string>()
    const wrong: string[] = []
    for (const { table, column } of columns) {
      if (OWN_AFFAIRS.includes(column)) continue
      const { rows } = await sql<{ id: string }>`
        select distinct ${sql.ref(column)}::text as id from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(
        market.api.db,
      )
      if (rows.some(({ id }) => cellOf(id) !== '000')) wrong.push(`${table}.${column}`)
      if (rows.length > 0 && (column === 'id' || column === 'event_id')) seen.add(table)
    }
    expect(wrong).to.deep.equal([])
    expect([...seen]).to.include.members(KINDS.map((name) => `market.${name}`))
    context.diagnostic(`${seen.size} kinds of ids`)
  })
})

const NOT_FOUND: Answered = { status: 404, problem: 'resource/not-found' }

function expectAnswer(reply: Reply, { status, problem }: Answered): void {
  if (problem) expectProblem(reply, status, problem, reply.body.field as string | undefined)
  else expect(reply.status, JSON.stringify(reply.body)).to.equal(status)
}

/** The same, with every URN and org in it replaced by one of nothing. */
function namingNothing(naming: Naming): Naming {
  return {
    ...JSON.parse(JSON.stringify(naming).replaceAll(URN, (_, prefix) => urnString(prefix, newId()))),
    ...(naming.path ? { path: { ...naming.path, org: 'nowhere' } } : {}),
  }
}

/** Tokens of each kind of owner that may do nothing: each is minted once. */
function refusedTokens(world: World) {
  const minted = new Map<string, Promise<string>>()
  const once = (key: string, make: () => Promise<string>) => {
    const known = minted.get(key) ?? make()
    minted.set(key, known)
    return known
  }
  return {
    without: (scope: Scope, rule: Rule) =>
      once(`${rule.owner} without ${scope}`, () =>
        mint(
          world,
          rule,
          SCOPES.filter((other) => other !== scope),
        ),
      ),
    revoked: (rule: Rule) =>
      once(`${rule.owner} revoked`, async () => {
        const token = await mint(world, rule, SCOPES)
        await revoke(world.market)
        return token
      }),
  }
}

function tokensOf({ market, buyer, seller, stranger }: World, { owner }: Rule) {
  if (owner === 'operator')
    return { owner: market.api.first.operator_token, counterparty: seller.humanToken, stranger: stranger.humanToken }
  if (owner === 'buyerHuman')
    return { owner: buyer.humanToken, counterparty: seller.humanToken, stranger: stranger.humanToken }
  const [own, other] = owner === 'buyer' ? [buyer, seller] : [seller, buyer]
  return { owner: own.token, counterparty: other.token, stranger: stranger.token }
}

/**
 * Has the owner be erased meanwhile, and nothing else of theirs: their token would live, and all they name is
 * there.
 */
async function erased({ market, buyer, seller }: World, { owner }: Rule, act: () => Promise<void>): Promise<void> {
  const { api } = market
  const me = await api.send('GET', '/v1/me', { token: api.first.operator_token })
  const humanId = owner === 'operator' ? me.body.urn.body : (owner === 'seller' ? seller : buyer).humanId
  await sql`update market.humans set erased_at = market.now() where id = ${humanId}`.execute(api.db)
  await act()
  await sql`update market.humans set erased_at = null where id = ${humanId}`.execute(api.db)
}

/** A token of the owner's, with these scopes. */
async function mint({ market, buyer, seller }: World, { owner }: Rule, scopes: readonly Scope[]): Promise<string> {
  if (owner === 'operator') return mintFor(market, market.api.first.operator_token, scopes)
  const trader = owner === 'seller' ? seller : buyer
  const isHuman = owner === 'buyerHuman'
  const owner_urn = isHuman ? urnString('human', trader.humanId) : urnString('agent', trader.agentId)
  const reply = await market.api.send('POST', '/v1/me/tokens', {
    token: trader.humanToken,
    body: { owner_urn, scopes },
  })
  expect(reply.status, JSON.stringify(reply.body)).to.equal(201)
  return reply.body.secret
}

async function mintFor({ api }: TestMarket, token: string, scopes: readonly Scope[]): Promise<string> {
  const me = await api.send('GET', '/v1/me', { token })
  const reply = await api.send('POST', '/v1/me/tokens', { token, body: { owner_urn: me.body.urn, scopes } })
  expect(reply.status, JSON.stringify(reply.body)).to.equal(201)
  return reply.body.secret
}

/** Revokes the newest token. */
async function revoke({ api }: TestMarket): Promise<void> {
  await sql`update market.tokens set revoked_at = market.now()
    where id = (select id from market.tokens order by id desc limit 1)`.execute(api.db)
}
