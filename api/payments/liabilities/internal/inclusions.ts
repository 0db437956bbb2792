import { type RawBuilder, sql } from 'kysely'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import type { LiabilityInclusion } from '../../../../protocol/liabilities/liabilities.ts'
import { NODE_BYTES, type SumNode } from '../../../../protocol/liabilities/liabilityPath.ts'
import { decodeNode, paddingNodes, siblingPlaces } from '../../../../protocol/liabilities/liabilityTree.ts'
import type { Actor } from '../../../context.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { AccountKind, OwnerType } from '../../ledger/generated/accountKinds.ts'
import { PAGE_NODES } from './keep.ts'
import { accountName } from './liabilities.ts'

interface LeafRow {
  account: string
  amount: bigint
  salt: Buffer
  position: bigint
}

/** Returns the leaves of an account in a tree, each with its path, in leaf order, after a position. */
export async function readInclusions(
  tx: Tx,
  actor: Actor,
  tree: { block: bigint; height: number },
  page: { from: string | undefined; limit: number },
): Promise<(LiabilityInclusion & { id: string })[]> {
  const { rows: leaves } = await sql<LeafRow>`
    select ${accountName} as account, leaf.amount, leaf.salt, leaf.position
    from (${accountsOf(actor, tree.block)}) own
    join ledger.accounts account on account.id = own.id
    join market.liability_leaves leaf on leaf.block_number = ${tree.block} and leaf.account_id = own.id
    where leaf.position > ${page.from ?? '-1'}
    order by leaf.position limit ${page.limit}`.execute(tx)
  const nodes = await readSiblings(tx, tree, leaves)
  const padding = paddingNodes(tree.height)
  return leaves.map(({ account, amount, salt, position }) => ({
    id: position.toString(),
    account,
    amount: formatAmount(amount),
    salt: salt.toString('hex'),
    position: Number(position),
    path: siblingPlaces(position, tree.height).map((place) => {
      const { hash, sumMicros } = nodes.get(keyOf(place)) ?? (padding[place.level] as SumNode)
      return { hash: Buffer.from(hash).toString('hex'), sum: formatAmount(sumMicros) }
    }),
  }))
}

/**
 * Returns SQL for the ledger accounts in which a human, or an agent alone, has a part: the human's earnings,
 * the money of orders they trade in, fees of their appeals, payouts to them or of those orders (including
 * refunds that could not be paid), and unmatched payments from their wallets. Anything that ended more than a
 * day before the tree has no leaf in it.
 */
function accountsOf({ humanId, agentId }: Actor, block: bigint): RawBuilder<unknown> {
  const agents = agentId ? sql`(${agentId}::uuid)` : sql`(select id from market.agents where owner_id = ${humanId})`
  const since = sql`(select created_at - interval '1 day' from market.liabilities where block_number = ${block})`
  const traded = (column: 'buyer_id' | 'seller_id') => sql`
    select id from market.orders
    where ${sql.ref(column)} in ${agents} and (closed_at is null or closed_at > ${since})`
  const paidOut = (column: 'agent_id' | 'human_id', id: string) => sql`
    select id, leg, deposit_from, deposit_nonce, parked_at from market.payouts
    where ${sql.ref(column)} = ${id} and (confirmed_at is null or confirmed_at > ${since})`
  const accounts = (kind: AccountKind, type: OwnerType, id: RawBuilder<string>, of: RawBuilder<unknown>) => sql`
    select account.id from ${of} join ledger.accounts account
      on account.owner_id = ${id} and account.owner_type = ${type} and account.kind = ${kind}`
  const parts = [
    accounts('hold', 'order', sql`traded.id::text`, sql`traded`),
    accounts(
      'hold',
      'dispute',
      sql`fee.dispute_id::text`,
      sql`(select dispute_id from market.appeal_fees
        where agent_id in ${agents} and payer is not null and (ended_at is null or ended_at > ${since})) fee`,
    ),
    accounts(
      'suspense',
      'event',
      sql`stray.key`,
      sql`traded join market.unmatched_payments stray on stray.order_id = traded.id`,
    ),
    accounts('in_transit', 'payout', sql`payout.id::text`, sql`paid_out payout`),
    // A refund that could not be paid is booked in suspense, where its deposit would be if it had been
    // unmatched.
    accounts(
      'suspense',
      'event',
      sql`'payment:' || payout.deposit_from || ':' || payout.deposit_nonce`,
      sql`(select * from paid_out where leg = 'payer' and parked_at is not null) payout`,
    ),
  ]
  const ofHuman = [
    sql`select id from ledger.accounts where owner_id = ${humanId} and owner_type = 'human'`,
    accounts(
      'suspense',
      'event',
      sql`stray.key`,
      sql`market.wallet_owners wallet
      join market.unmatched_payments stray on stray.payer = wallet.address and wallet.owner_id = ${humanId}`,
    ),
  ]
  return sql`
    with traded as materialized (${traded('buyer_id')} union ${traded('seller_id')}),
    paid_out as materialized (
      ${agentId ? paidOut('agent_id', agentId) : paidOut('human_id', humanId)}
      union
      select payout.id, payout.leg, deposit_from, deposit_nonce, parked_at
      from traded join market.payouts payout on payout.order_id = traded.id and payout.leg = 'payer')
    ${sql.join(agentId ? parts : [...parts, ...ofHuman], sql` union `)}`
}

async function readSiblings(
  tx: Tx,
  { block, height }: { block: bigint; height: number },
  leaves: readonly LeafRow[],
): Promise<Map<string, SumNode>> {
  const places = leaves.flatMap(({ position }) => siblingPlaces(position, height))
  const { rows } = await sql<{ level: number; position: bigint; node: Buffer }>`
    select wanted.level, wanted.position,
      substring(kept.nodes from (wanted.position % ${PAGE_NODES})::integer * ${NODE_BYTES} + 1 for ${NODE_BYTES}) as node
    from (select distinct level, position from unnest(${places.map(({ level }) => level)}::integer[],
      ${places.map(({ position }) => position.toString())}::bigint[]) as place(level, position)) wanted
    join market.liability_nodes kept on kept.block_number = ${block} and kept.level = wanted.level
      and kept.page = wanted.position / ${PAGE_NODES}`.execute(tx)
  // Beyond the end of a level there is padding, which is not stored.
  const kept = rows.filter(({ node }) => node.length === NODE_BYTES)
  return new Map(kept.map(({ node, ...place }) => [keyOf(place), decodeNode(node)]))
}

function keyOf({ level, position }: { level: number; position: bigint }): string {
  return `${level}:${position}`
}
