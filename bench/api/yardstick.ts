import { randomBytes, randomUUID } from 'node:crypto'

// The statements with which the API placed and read an order at 6b8e7d2, as text and values, none of them
// named: the measure F. They stay as they are, but for what the schema no longer takes (the salt of an audit
// entry is the database's now).

/** What one buyer's requests read and write, and what they are answered. As JSON can hold it. */
export interface Sale {
  authorization: string
  /** Of the token, in hex. */
  secretHash: string
  buyerId: string
  buyerOwnerId: string
  askId: string
  /** The row of an order that the buyer has placed. */
  order: Readonly<Record<string, unknown>>
  answers: Record<'place' | 'get', { status: number; body: unknown }>
}

type Statement = [text: string, values: unknown[]]

/** Returns the statements that place an order. */
export function placeStatements(sale: Sale): Statement[] {
  const { buyerId, buyerOwnerId, askId, order } = sale
  const id = randomUUID()
  const fresh = { id, order_key: bytes32(), nonce: bytes32() }
  const row = ORDER_COLUMNS.map((column) => (column in fresh ? fresh[column as keyof typeof fresh] : order[column]))
  const subject = `market:order:${id}`
  const payload = {
    order_urn: subject,
    state: 'placed',
    price: '20.000000',
    escrow_mode: 'custodied',
    buyer_urn: `market:agent:${buyerId}`,
    seller_urn: `market:agent:${order.seller_id}`,
    ask_urn: `market:ask:${askId}`,
  }
  const details = { seller_urn: `market:agent:${order.seller_id}`, owner_sha256: bytes32().slice(2) }
  return [
    authenticate(sale, 'writes', 6_000),
    ['start transaction isolation level read committed read write', []],
    ['select from market.humans where id = $1 and erased_at is null for key share', [buyerOwnerId]],
    [FUNDABLE, [10, '5000000000000000000', '500000000000000000', buyerId]],
    [ASK, [askId]],
    [
      'insert into "market"."audit_log" ("actor", "action", "subject", "details") values ($1, $2, $3, $4) returning "id"',
      [`market:agent:${buyerId}`, 'order.place', subject, JSON.stringify(details)],
    ],
    [ORDER, row],
    [
      EVENT,
      [randomUUID(), 'order.placed', JSON.stringify(payload), [buyerId, order.seller_id], [buyerId, order.seller_id]],
    ],
    ['commit', []],
  ]
}

/** Returns the statements that read an order. */
export function getStatements(sale: Sale): Statement[] {
  const { id } = sale.order
  return [
    authenticate(sale, 'reads', 30_000),
    ['start transaction isolation level repeatable read read only', []],
    ['select * from "market"."orders" where "id" = $1', [id]],
    ['select * from "market"."holds" where "order_id" in ($1)', [id]],
    [
      'select "order_id", "state", "failure" from "market"."authorizations" where "order_id" in ($1) order by "attempt"',
      [id],
    ],
    [
      `select "order_id", "kind", "status", "amount_micros", "tx_hash", "adoptable_at" from "market"."unmatched_payments"
        where "order_id" in ($1) and "status" <> $2 order by "created_at"`,
      [id, 'matched'],
    ],
    [
      `select "order_id", "message_id", "sha256", "accepted_at" from "market"."acceptances"
        where "order_id" in ($1) and "kind" = $2 order by "accepted_at", "message_id"`,
      [id, 'scope_change_proposal'],
    ],
    [MEASURES, [[id]]],
    [LABELS, [[id]]],
    ['commit', []],
  ]
}

function authenticate({ secretHash }: Sale, policy: string, quota: number): Statement {
  return [AUTHENTICATE, [3_600, policy, quota, 60, `\\x${secretHash}`, false, 600]]
}

function bytes32(): string {
  return `0x${randomBytes(32).toString('hex')}`
}

const AUTHENTICATE = `
  select token.id, token.human_id, token.agent_id, token.scopes, human.role, token.expires_at,
    token.revoked_at is not null as is_rotated,
    coalesce(token.last_used_at < market.now() - make_interval(secs => $1), true) as is_use_unrecorded,
    taken.used, taken.resets_seconds
  from market.tokens token join market.humans human on human.id = token.human_id
    cross join lateral limits.take(coalesce(token.agent_id, token.human_id), $2, $3, $4) taken
  where token.secret_hash = $5 and human.erased_at is null
    and (token.revoked_at is null or ($6 and token.rotated_at > market.now() - make_interval(secs => $7)))
    and (token.expires_at is null or token.expires_at > market.now())`

const FUNDABLE = `
  select market.now() as now, spent.charged_wei >= allowed.wei as is_spent, allowed.wei::text as limit_wei,
    (select beat_at > clock_timestamp() - make_interval(secs => $1) from facilitator.heartbeat) as is_alive,
    exists (select from market.chain_progress where database_epoch = market.database_epoch()) as is_known,
    ceil(extract(epoch from spent.first_at + interval '24 hours' - clock_timestamp()))::integer as frees_seconds
  from market.agents agent, facilitator.owner_funding(agent.owner_id) spent,
    lateral (select case when spent.is_established then $2::numeric else $3::numeric end as wei) allowed
  where agent.id = $4`

const ASK = `
  select ask.id, ask.version, ask.seller_id, seller.owner_id, ask.price_micros, ask.sla_seconds, ask.auto_accept_seconds,
    ask.active and seller.deactivated_at is null and owner.erased_at is null as is_offered
  from market.asks ask
    join market.agents seller on seller.id = ask.seller_id
    join market.humans owner on owner.id = seller.owner_id
  where ask.id = $1
  for key share of owner`

/** What a placement writes, in its order. */
const ORDER_COLUMNS = [
  ...['id', 'state', 'buyer_id', 'seller_id', 'seller_owner_id', 'ask_id', 'ask_version', 'bid_id', 'quote_id'],
  ...[
    'escrow_mode',
    'sla_seconds',
    'auto_accept_seconds',
    'request_hash',
    'receipt_privacy',
    'sealed',
    'buyer_keys_id',
  ],
  ...[
    'seller_keys_id',
    'order_key',
    'payee',
    'fee_recipient',
    'fee_bps',
    'price_micros',
    'valid_after',
    'valid_before',
  ],
  ...['expires_at', 'recipient', 'nonce', 'placement_entry'],
]

const ORDER = `insert into "market"."orders" (${ORDER_COLUMNS.map((name) => `"${name}"`).join(', ')})
  values (${ORDER_COLUMNS.map((_, index) => `$${index + 1}`).join(', ')}) returning *`

const EVENT = `
  insert into market.events (event_id, event_type, payload, visible_to)
  values ($1, $2, $3, array(
    select unnest($4::uuid[])
    union select owner_id from market.agents where id = any($5::uuid[])))`

const MEASURES = `
  select traded.id as order_id, standing.criteria, standing.criteria_complete
  from market.orders traded
    left join market.ask_versions sold on sold.ask_id = traded.ask_id and sold.version = traded.ask_version
    left join market.quotes quoted on quoted.id = traded.quote_id
    left join market.bids asked on asked.id = traded.bid_id
    left join lateral (
      select said.payload -> 'changes' as changes
      from market.acceptances accepted join market.messages said on said.id = accepted.message_id
      where accepted.order_id = traded.id and accepted.kind = 'scope_change_proposal'
        and said.payload #> '{changes,criteria}' is not null
      order by accepted.accepted_at desc, accepted.message_id desc limit 1) amended on true
    cross join lateral (
      select coalesce(amended.changes -> 'criteria', sold.criteria, quoted.criteria, asked.criteria) as criteria,
        case when amended.changes is not null then coalesce((amended.changes ->> 'criteria_complete')::boolean, false)
          when quoted.criteria is not null then quoted.criteria_complete
          else coalesce(sold.criteria_complete, asked.criteria_complete) end as criteria_complete) standing
  where traded.id = any($1) and jsonb_array_length(standing.criteria) > 0`

const LABELS = `
  select orders.id, coalesce(ask.title, bid.title) as title, buyer.display_name as "buyerName",
    seller.display_name as "sellerName", dispute.due_at as "disputeDueAt"
  from market.orders
  join market.agents buyer on buyer.id = orders.buyer_id
  join market.agents seller on seller.id = orders.seller_id
  left join market.ask_versions ask on ask.ask_id = orders.ask_id and ask.version = orders.ask_version
  left join market.bids bid on bid.id = orders.bid_id
  left join market.disputes dispute on dispute.id = orders.dispute_id
  where orders.id = any($1::uuid[])`
