import { createECDH } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Actor, Settings } from '../../context.ts'
import { notFound, Problem } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { Database } from '../../platform/db/schema.ts'
import { requireTarget } from '../../platform/webhooks/target.ts'

const MAX_DEVICES = 20
const AUTH_BYTES = 16

/** A device as it is stored. */
export type DeviceRow = Selectable<Database['market.push_subscriptions']>

/** A push subscription as a browser gives it (Push API): an endpoint, and keys in base64url. */
export interface NewDevice {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

/**
 * Adds a device of the caller's, or gives one that is there its new keys. An account has at most twenty: the oldest makes
 * room. Throws request/invalid for an endpoint that may not be posted to, and for keys that are none.
 */
export async function addDevice(tx: Tx, settings: Settings, actor: Actor, device: NewDevice): Promise<DeviceRow> {
  const { endpoint, keys } = device
  requireTarget(settings, endpoint, 'endpoint')
  requireKeys(keys)
  const accountId = actor.agentId ?? actor.humanId
  // Two calls at once count each other's.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`devices ${accountId}`}, 0))`.execute(tx)
  await sql`
    delete from market.push_subscriptions where id in (
      select id from market.push_subscriptions where account_id = ${accountId} and endpoint <> ${endpoint}
      order by id desc offset ${MAX_DEVICES - 1})`.execute(tx)
  return tx
    .insertInto('market.push_subscriptions')
    .values({ id: uuidv7(), account_id: accountId, human_id: actor.humanId, endpoint, ...keys })
    .onConflict((conflict) => conflict.columns(['account_id', 'endpoint']).doUpdateSet(keys))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Removes a device of the caller's. Throws the uniform 404. */
export async function removeDevice(tx: Tx, { agentId, humanId }: Actor, id: string): Promise<void> {
  await tx
    .deleteFrom('market.push_subscriptions')
    .where('id', '=', id)
    .where('account_id', '=', agentId ?? humanId)
    .returning('id')
    .executeTakeFirstOrThrow(() => notFound('push subscription'))
}

/** Lists the devices of the caller, newest first. */
export async function listDevices(tx: Tx, { agentId, humanId }: Actor): Promise<DeviceRow[]> {
  return tx
    .selectFrom('market.push_subscriptions')
    .selectAll()
    .where('account_id', '=', agentId ?? humanId)
    .orderBy('id', 'desc')
    .execute()
}

/** Returns a device in its wire form. */
export function toDevice({ id, endpoint, created_at }: DeviceRow) {
  return { id, endpoint, created_at: created_at.toISOString() }
}

/** RFC 8291: a point on P-256, and sixteen bytes. */
function requireKeys({ p256dh, auth }: NewDevice['keys']): void {
  try {
    const own = createECDH('prime256v1')
    own.generateKeys()
    own.computeSecret(p256dh, 'base64url')
  } catch {
    throw new Problem('request/invalid', {
      detail: 'keys: p256dh must be a point on P-256, in base64url.',
      field: 'keys',
    })
  }
  if (Buffer.from(auth, 'base64url').length === AUTH_BYTES) return
  throw new Problem('request/invalid', { detail: 'keys: auth must be 16 bytes, in base64url.', field: 'keys' })
}
