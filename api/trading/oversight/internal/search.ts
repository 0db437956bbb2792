import { type RawBuilder, sql } from 'kysely'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { urn, urnString } from '../../../../protocol/encoding/urn.ts'
import type { CallContext } from '../../../context.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'

/** What a search finds, in the order in which it is shown. */
const FOUND_KINDS = [
  ...(['human', 'agent', 'org', 'order', 'dispute', 'payout', 'ask', 'bid', 'webhook', 'token', 'session'] as const),
]
type Kind = (typeof FOUND_KINDS)[number]

const OF_EACH_KIND = 10

/** What an operator may look for, as a text says it. */
type Query =
  | { by: 'urn'; prefix: string; id: string }
  | { by: 'id'; id: string }
  | { by: 'hash'; hash: string }
  | { by: 'address'; address: string }
  | { by: 'email'; email: string }
  | { by: 'name'; name: string }

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const URN = new RegExp(`^market:([a-z]+):(${UUID})$`)
const ID = new RegExp(`^${UUID}$`)

/**
 * Reads what is looked for: a URN, an id, 32 bytes of the chain, an address, a whole e-mail address, or else
 * the beginning of a name.
 */
function readQuery(text: string): Query {
  const q = text.trim().toLowerCase()
  const [, prefix, id] = URN.exec(q) ?? []
  if (prefix !== undefined && id !== undefined) return { by: 'urn', prefix, id }
  if (ID.test(q)) return { by: 'id', id: q }
  if (/^0x[0-9a-f]{64}$/.test(q)) return { by: 'hash', hash: q }
  if (/^0x[0-9a-f]{40}$/.test(q)) return { by: 'address', address: q }
  return q.includes('@') ? { by: 'email', email: q } : { by: 'name', name: q }
}

interface FoundRow {
  kind: Kind
  id: string
  title: string
  state: string | null
  amount_micros: bigint | null
  created_at: Date
  people: { id: string; name: string }[]
}

/**
 * Finds what an operator looks for, at most ten of each kind, each with the people behind it. The search is
 * an audit entry of the operator's; a person who was found by their e-mail address has one too.
 */
export async function searchEverything(tx: Tx, { actor }: Pick<CallContext, 'actor'>, text: string) {
  const query = readQuery(text)
  const parts = partsOf(query)
  const { rows } = await sql<FoundRow>`
    select found.*, array(
      select jsonb_build_object('id', human.id, 'name', human.display_name) from market.humans human
      where human.id = any(found.owners) order by human.display_name, human.id) as people
    from (${sql.join(parts, sql` union `)}) found (kind, id, title, state, amount_micros, created_at, owners)`.execute(
    tx,
  )
  const operator = urnString('human', actor.humanId)
  const found = rows.map(({ kind, id }) => urnString(kind, id))
  await audit(tx, { actor: operator, action: 'operator.search', subject: operator, details: { by: query.by, found } })
  if (query.by === 'email') {
    for (const subject of found) await audit(tx, { actor: operator, action: 'human.found_by_email', subject })
  }
  const order = (row: FoundRow) => FOUND_KINDS.indexOf(row.kind)
  return { by: query.by, found: rows.sort((left, right) => order(left) - order(right)).map(toFound) }
}

function toFound({ kind, id, title, state, amount_micros: micros, created_at, people }: FoundRow) {
  return {
    urn: urn(kind, id),
    title,
    state,
    amount: micros === null ? null : formatAmount(micros),
    created_at: created_at.toISOString(),
    people: people.map((person) => ({ urn: urn('human', person.id), display_name: person.name })),
  }
}

type Part = (where: RawBuilder<unknown>) => RawBuilder<unknown>

const limit = sql`limit ${sql.lit(OF_EACH_KIND)}`

/** Each kind as a statement: `thing` is its row, and `owners` are the people behind it. */
const PARTS: Readonly<Record<Kind, Part>> = {
  human: (where) => sql`(
    select 'human' as kind, thing.id, thing.display_name as title,
      case when thing.erased_at is null then 'active' else 'erased' end as state, null::bigint as amount_micros,
      thing.created_at, array[thing.id] as owners
    from market.humans thing where ${where} ${limit})`,
  agent: (where) => sql`(
    select 'agent', thing.id, thing.display_name, case when thing.deactivated_at is null then 'active' else 'deactivated' end,
      null::bigint, thing.created_at, array[thing.owner_id]
    from market.agents thing where ${where} ${limit})`,
  org: (where) => sql`(
    select 'org', thing.id, thing.display_name, null::text, null::bigint, thing.created_at,
      array(select human_id from market.org_members where org_id = thing.id and role = 'owner' limit 5)
    from market.orgs thing where ${where} ${limit})`,
  order: (where) => sql`(
    select 'order', thing.id, buyer.display_name || ' buys from ' || seller.display_name, thing.state, thing.price_micros,
      thing.placed_at, array[buyer.owner_id, seller.owner_id]
    from market.orders thing join market.agents buyer on buyer.id = thing.buyer_id
      join market.agents seller on seller.id = thing.seller_id
    where ${where} order by thing.id desc ${limit})`,
  dispute: (where) => sql`(
    select 'dispute', thing.id, buyer.display_name || ' against ' || seller.display_name, thing.state, thing.refund_micros,
      thing.opened_at, array[buyer.owner_id, seller.owner_id]
    from market.disputes thing join market.orders traded on traded.id = thing.order_id
      join market.agents buyer on buyer.id = traded.buyer_id join market.agents seller on seller.id = traded.seller_id
    where ${where} ${limit})`,
  payout: (where) => sql`(
    select 'payout', thing.id, case thing.leg when 'payer' then 'Refund' else 'Payout to the seller' end, thing.state,
      thing.amount_micros, thing.created_at, array_remove(array[thing.human_id], null)
    from market.payouts thing where ${where} ${limit})`,
  ask: (where) => sql`(
    select 'ask', thing.id, thing.title, case when thing.active then 'active' else 'closed' end, thing.price_micros,
      thing.created_at, array[seller.owner_id]
    from market.asks thing join market.agents seller on seller.id = thing.seller_id where ${where} ${limit})`,
  bid: (where) => sql`(
    select 'bid', thing.id, thing.title, thing.state, thing.max_price_micros, thing.created_at, array[bidder.owner_id]
    from market.bids thing join market.agents bidder on bidder.id = thing.bidder_id where ${where} ${limit})`,
  webhook: (where) => sql`(
    select 'webhook', thing.id, thing.url, thing.status, null::bigint, thing.created_at, array[thing.human_id]
    from market.webhook_subscriptions thing where ${where} ${limit})`,
  token: (where) => sql`(
    select 'token', thing.id, array_to_string(thing.scopes, ', '),
      case when thing.revoked_at is not null then 'revoked' else 'active' end, null::bigint, thing.created_at, array[thing.human_id]
    from market.tokens thing where ${where} ${limit})`,
  session: (where) => sql`(
    select 'session', thing.id, 'Session', case when thing.revoked_at is not null then 'revoked' else 'active' end, null::bigint,
      thing.created_at, array[thing.human_id]
    from market.sessions thing where ${where} ${limit})`,
}

/** The order of a thread, a receipt or a quote. */
const orderOf = (id: string) =>
  PARTS.order(sql`thing.thread_id = ${id} or thing.receipt_id = ${id} or thing.quote_id = ${id}`)

function partsOf(query: Query): RawBuilder<unknown>[] {
  switch (query.by) {
    case 'urn':
      return byUrn(query.prefix, query.id)
    case 'id':
      return [...FOUND_KINDS.map((kind) => PARTS[kind](sql`thing.id = ${query.id}`)), orderOf(query.id)]
    case 'hash':
      return byHash(query.hash)
    case 'address':
      return [
        PARTS.human(sql`thing.id = (select owner_id from market.wallet_owners where address = ${query.address})`),
        PARTS.order(sql`thing.id in (select order_id from market.holds where payer = ${query.address})`),
      ]
    case 'email':
      return [PARTS.human(sql`lower(thing.email) = ${query.email}`)]
    case 'name':
      return byName(query.name)
  }
}

function byUrn(prefix: string, id: string): RawBuilder<unknown>[] {
  const kind = FOUND_KINDS.find((known) => known === prefix)
  if (kind) return [PARTS[kind](sql`thing.id = ${id}`)]
  if (prefix === 'wallet') return [PARTS.human(sql`thing.id = (select owner_id from market.wallets where id = ${id})`)]
  return [orderOf(id)]
}

/** A transaction, a hold, or the nonce of a payment or a payout. */
function byHash(hash: string): RawBuilder<unknown>[] {
  // The key of a chain event says what it is about: a hold, a payment, or the nonce of a payout.
  const keys = sql`(select string_to_array(key, ':') as part from market.processed_chain_events where tx_hash = ${hash})`
  return [
    PARTS.order(sql`thing.nonce = ${hash} or thing.order_key = ${hash}`),
    PARTS.order(sql`thing.id in (
      select order_id from market.holds where hold_key = ${hash}
      union select hold.order_id from ${keys} event join market.holds hold on hold.hold_key = event.part[2]
      union select hold.order_id from ${keys} event
        join market.holds hold on hold.payer = event.part[2] and hold.deposit_nonce = event.part[3])`),
    PARTS.payout(sql`thing.nonce = ${hash} or thing.nonce in (
      select part[2] from ${keys} event where part[1] = 'outflow')`),
  ]
}

function byName(name: string): RawBuilder<unknown>[] {
  const beginning = `${name.replaceAll(/[\\%_]/g, '\\$&')}%`
  const isNamed = sql`(lower(thing.display_name) collate "C") like ${beginning}`
  return [
    PARTS.human(isNamed),
    PARTS.agent(isNamed),
    PARTS.org(isNamed),
    PARTS.org(sql`thing.slug = ${name} and not ${isNamed}`),
  ]
}
