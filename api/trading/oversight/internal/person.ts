import { sql } from 'kysely'
import { getAddress } from 'viem'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { urn, urnString } from '../../../../protocol/encoding/urn.ts'
import type { Actor, CallContext, Settings } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { listSessionRows } from '../../../identity/sessions/list.ts'
import { listTokenRows, toToken } from '../../../identity/tokens/list.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { DisputeState, EscrowMode, OrderState } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'

/** The most of each kind that is shown, newest first. */
const SHOWN = 50
const PAGE = { from: undefined, limit: SHOWN }

/**
 * Returns what an operator sees of a person: their agents, orgs, wallets and credentials, and the states of
 * their trades; no e-mail address, and nothing that anybody wrote to another. Each read is an audit entry
 * that the person sees. Throws the uniform 404 if there is none.
 */
export async function readPerson(tx: Tx, { actor, settings }: Pick<CallContext, 'actor' | 'settings'>, id: string) {
  const human = await readHuman(tx, id)
  await audit(tx, {
    actor: urnString('human', actor.humanId),
    action: 'human.read_by_operator',
    subject: urnString('human', id),
  })
  return {
    ...human,
    limits: await readLimits(tx, settings, id),
    agents: await readAgents(tx, id),
    orgs: await readOrgs(tx, id),
    wallets: await readWallets(tx, id),
    orders: await readOrders(tx, id),
    disputes: await readDisputes(tx, id),
    payouts: await readPayouts(tx, id),
    tokens: await readTokens(tx, actor, id),
    sessions: await readSessions(tx, settings, id),
  }
}

async function readHuman(tx: Tx, id: string) {
  const row = await tx
    .selectFrom('market.humans as human')
    .select(['human.display_name', 'human.role', 'human.is_reviewer', 'human.created_by', 'human.created_at'])
    .select([
      'human.erased_at',
      sql<boolean>`coalesce(human.confirmed_email = human.email, false)`.as('has_confirmed_email'),
    ])
    .where('human.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('human'))
  const passkeys = await tx
    .selectFrom('market.passkeys')
    .select(sql<boolean>`flagged_at is not null`.as('is_flagged'))
    .where('human_id', '=', id)
    .execute()
  return {
    urn: urn('human', id),
    display_name: row.display_name,
    role: row.role,
    is_reviewer: row.is_reviewer,
    has_confirmed_email: row.has_confirmed_email,
    passkeys: passkeys.filter(({ is_flagged: isFlagged }) => !isFlagged).length,
    flagged_passkeys: passkeys.filter(({ is_flagged: isFlagged }) => isFlagged).length,
    created_by: row.created_by ? urn('human', row.created_by) : null,
    created_at: row.created_at.toISOString(),
    erased_at: row.erased_at?.toISOString() ?? null,
  }
}

async function readLimits(tx: Tx, { rules }: Pick<Settings, 'rules'>, id: string) {
  const { rows } = await sql<{ agents: number; owned_orgs: number }>`
    select (select count(*)::int from market.agents where owner_id = ${id} and deactivated_at is null) as agents,
      (select count(*)::int from market.org_members where human_id = ${id} and role = 'owner') as owned_orgs`.execute(
    tx,
  )
  const { agents = 0, owned_orgs: orgs = 0 } = rows[0] ?? {}
  return {
    agents: { used: agents, most: rules.maxAgents },
    owned_orgs: { used: orgs, most: rules.maxOwnedOrgs },
  }
}

async function readAgents(tx: Tx, id: string) {
  const rows = await tx
    .selectFrom('market.agents')
    .select(['id', 'display_name', 'created_at', 'deactivated_at'])
    .where('owner_id', '=', id)
    .orderBy('id', 'desc')
    .limit(SHOWN)
    .execute()
  return rows.map((row) => ({
    urn: urn('agent', row.id),
    display_name: row.display_name,
    created_at: row.created_at.toISOString(),
    deactivated_at: row.deactivated_at?.toISOString() ?? null,
  }))
}

async function readOrgs(tx: Tx, id: string) {
  const rows = await tx
    .selectFrom('market.org_members as member')
    .innerJoin('market.orgs as org', 'org.id', 'member.org_id')
    .select(['org.id', 'org.slug', 'org.display_name', 'member.role', 'member.joined_at'])
    .where('member.human_id', '=', id)
    .orderBy('org.id', 'desc')
    .limit(SHOWN)
    .execute()
  return rows.map(({ id: org, joined_at: joined, ...row }) => ({
    urn: urn('org', org),
    ...row,
    joined_at: joined.toISOString(),
  }))
}

async function readWallets(tx: Tx, id: string) {
  const rows = await tx
    .selectFrom('market.wallets')
    .select(['id', 'account_id', 'address', 'verified_at', 'payout_from', 'doubtful_since'])
    .where('owner_id', '=', id)
    .orderBy('id', 'desc')
    .limit(SHOWN)
    .execute()
  return rows.map((row) => ({
    urn: urn('wallet', row.id),
    account_urn: row.account_id === id ? urn('human', id) : urn('agent', row.account_id),
    address: getAddress(row.address),
    verified_at: row.verified_at.toISOString(),
    is_for_payouts: row.payout_from !== null,
    is_doubtful: row.doubtful_since !== null,
  }))
}

const partners = sql`
  join market.agents buyer on buyer.id = traded.buyer_id join market.agents seller on seller.id = traded.seller_id`

/**
 * Selects the newest orders of a person's agents with a condition: one index is read backwards for each agent
 * and side.
 */
const newestOrders = (id: string, condition = sql`true`) => sql`(
  select newest.* from market.agents own cross join lateral (
    (select traded.* from market.orders traded where traded.buyer_id = own.id and ${condition}
     order by traded.id desc limit ${SHOWN})
    union
    (select traded.* from market.orders traded where traded.seller_id = own.id and ${condition}
     order by traded.id desc limit ${SHOWN})) newest
  where own.owner_id = ${id})`

async function readOrders(tx: Tx, id: string) {
  const { rows } = await sql<{
    id: string
    state: OrderState
    price_micros: bigint
    escrow_mode: EscrowMode
    buyer: string
    seller: string
    is_buyer: boolean
    placed_at: Date
  }>`
    select distinct on (traded.id) traded.id, traded.state, traded.price_micros, traded.escrow_mode, traded.placed_at,
      buyer.display_name as buyer, seller.display_name as seller, buyer.owner_id = ${id} as is_buyer
    from ${newestOrders(id)} traded ${partners} order by traded.id desc limit ${SHOWN}`.execute(tx)
  return rows.map((row) => ({
    urn: urn('order', row.id),
    side: row.is_buyer ? ('buyer' as const) : ('seller' as const),
    buyer: row.buyer,
    seller: row.seller,
    state: row.state,
    price: formatAmount(row.price_micros),
    escrow_mode: row.escrow_mode,
    placed_at: row.placed_at.toISOString(),
  }))
}

async function readDisputes(tx: Tx, id: string) {
  const { rows } = await sql<{
    id: string
    order_id: string
    state: DisputeState
    outcome: string | null
    opened_at: Date
  }>`
    select distinct on (dispute.id) dispute.id, dispute.order_id, dispute.state, dispute.outcome, dispute.opened_at
    from ${newestOrders(id, sql`traded.dispute_id is not null`)} traded
    join market.disputes dispute on dispute.order_id = traded.id
    order by dispute.id desc limit ${SHOWN}`.execute(tx)
  return rows.map((row) => ({
    urn: urn('dispute', row.id),
    order_urn: urn('order', row.order_id),
    state: row.state,
    outcome: row.outcome,
    opened_at: row.opened_at.toISOString(),
  }))
}

async function readPayouts(tx: Tx, id: string) {
  const rows = await tx
    .selectFrom('market.payouts')
    .select(['id', 'order_id', 'state', 'amount_micros', 'reason', 'created_at'])
    .where('human_id', '=', id)
    .orderBy('id', 'desc')
    .limit(SHOWN)
    .execute()
  return rows.map((row) => ({
    urn: urn('payout', row.id),
    order_urn: row.order_id ? urn('order', row.order_id) : null,
    state: row.state,
    amount: formatAmount(row.amount_micros),
    reason: row.reason,
    created_at: row.created_at.toISOString(),
  }))
}

async function readTokens(tx: Tx, actor: Actor, id: string) {
  const rows = await listTokenRows(tx, { ...actor, humanId: id, agentId: null }, PAGE)
  return rows.map((row) => {
    const { is_current: _, ...token } = toToken(row, actor)
    return token
  })
}

async function readSessions(tx: Tx, settings: Pick<Settings, 'rules'>, id: string) {
  const rows = await listSessionRows(tx, settings, id, PAGE)
  return rows.map((row) => ({
    urn: urn('session', row.id),
    created_at: row.created_at.toISOString(),
    seen_at: row.seen_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }))
}
