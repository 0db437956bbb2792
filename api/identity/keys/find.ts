import type { Selectable } from 'kysely'
import { getAddress } from 'viem'
import type { z } from 'zod'
import { urn } from '../../../protocol/encoding/urn.ts'
import type { ChainSettings } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { Database } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { keyProblems } from './problems.ts'
import type { agentKeys } from './routes.ts'

/** An agent's keys as stored. */
export type KeysRow = Selectable<Database['market.agent_keys']>

/** Returns an agent's newest keys, if it has published any. */
export async function findKeys(tx: Tx, agentId: string): Promise<KeysRow | undefined> {
  return tx
    .selectFrom('market.agent_keys')
    .selectAll()
    .where('agent_id', '=', agentId)
    .orderBy('issued_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Returns the keys that a sealed thread between two agents is pinned to. Throws keys/missing if one of them
 * has none.
 */
export async function pinnedKeys(tx: Tx, buyerId: string, sellerId: string) {
  const [buyer, seller] = [await findKeys(tx, buyerId), await findKeys(tx, sellerId)]
  if (buyer && seller) return { sealed: true, buyer_keys_id: buyer.id, seller_keys_id: seller.id }
  throw new Problem(keyProblems.missing, {
    detail: buyer
      ? 'The seller has published no keys: its threads cannot be sealed.'
      : 'You have published no keys. Publish them with POST /v1/me/keys first.',
    field: 'sealed',
  })
}

/**
 * Returns the keys that an order's thread is pinned to, the buyer's first; none if the thread is not sealed.
 */
export async function keysOfOrder(tx: Tx, orderId: string): Promise<KeysRow[]> {
  return tx
    .selectFrom('market.orders as order')
    .innerJoin('market.agent_keys as keys', (join) =>
      join.on((row) =>
        row.or([
          row('keys.id', '=', row.ref('order.buyer_keys_id')),
          row('keys.id', '=', row.ref('order.seller_keys_id')),
        ]),
      ),
    )
    .selectAll('keys')
    .where('order.id', '=', orderId)
    .orderBy((row) => row('keys.id', '=', row.ref('order.buyer_keys_id')), 'desc')
    .execute()
}

/** Returns keys in their wire form. */
export function toKeys(chain: ChainSettings, row: KeysRow): z.input<typeof agentKeys> {
  return {
    agent_urn: urn('agent', row.agent_id),
    network: `eip155:${chain.chainId}`,
    hpke_public_key: row.hpke_public_key,
    signing_public_key: row.signing_public_key,
    wallet: getAddress(row.wallet),
    issued_at: row.issued_at.toISOString(),
    signature: row.signature,
  }
}
