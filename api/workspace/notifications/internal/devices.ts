import { createECDH } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { accountOf } from '../../../actor.ts'
import type { Actor, Settings } from '../../../context.ts'
import { notFound, Problem } from '../../../errors.ts'
import type { Database } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { httpProblems } from '../../../platform/http/serve/problems.ts'
import { requireTarget } from '../../../platform/webhooks/target.ts'
import { pushProblems } from '../problems.ts'

const MAX_DEVICES = 20
const AUTH_BYTES = 16
const MAX_ENDPOINT_CHARACTERS = 2_000
// SEC 1, 2.3.3: a byte that says the form, and both coordinates.
const POINT_BYTES = 65
const UNCOMPRESSED = 4

/** A device as it is stored. */
export type DeviceRow = Selectable<Database['market.push_subscriptions']>

/** A push subscription as a browser gives it (Push API): an endpoint, and keys in base64url. */
export interface NewDevice {
  endpoint: string
  keys: { p256dh: string; auth: string }
  browser?: string | undefined
}

/**
 * Adds a device of the caller's, or gives an existing one its new keys: a device is its endpoint. A device
 * that another account registered becomes the caller's if the caller has its secret (`auth`), as the person
 * who uses the browser now has: only that person gets its messages. An account has at most twenty devices; a
 * new one replaces the oldest. Throws push/registered-elsewhere without that secret, and request/invalid for
 * an endpoint that we may not post to, and for invalid keys.
 */
export async function addDevice(
  tx: Tx,
  settings: Pick<Settings, 'webhooks'>,
  actor: Actor,
  device: NewDevice,
): Promise<DeviceRow> {
  const endpoint = endpointOf(settings, device.endpoint)
  const keys = keysOf(device.keys)
  const accountId = accountOf(actor)
  // Concurrent calls count each other's devices, and see which account has this one.
  for (const name of [`devices ${accountId}`, `device ${endpoint}`])
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
  // Messages that wait to be sent are deleted with the row.
  await sql`
    delete from market.push_subscriptions
    where endpoint = ${endpoint} and account_id <> ${accountId} and auth = ${keys.auth}`.execute(tx)
  const { rows } = await sql`
    select from market.push_subscriptions where endpoint = ${endpoint} and account_id <> ${accountId}`.execute(tx)
  if (rows.length > 0) throw registeredElsewhere()
  await sql`
    delete from market.push_subscriptions where id in (
      select id from market.push_subscriptions where account_id = ${accountId} and endpoint <> ${endpoint}
      order by id desc offset ${MAX_DEVICES - 1})`.execute(tx)
  const given = { ...keys, ...(device.browser === undefined ? {} : { browser: device.browser }), refused_since: null }
  return tx
    .insertInto('market.push_subscriptions')
    .values({ id: newId(), account_id: accountId, human_id: actor.humanId, endpoint, ...given })
    .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(given))
    .returningAll()
    .executeTakeFirstOrThrow()
}

function registeredElsewhere(): Problem {
  return new Problem(pushProblems.registeredElsewhere, {
    detail:
      'Another account registered this device with other keys. End the subscription in the browser, and subscribe again.',
    field: 'endpoint',
  })
}

/** Removes a device of the caller's. Throws the uniform 404. */
export async function removeDevice(tx: Tx, actor: Actor, id: string): Promise<void> {
  await tx
    .deleteFrom('market.push_subscriptions')
    .where('id', '=', id)
    .where('account_id', '=', accountOf(actor))
    .returning('id')
    .executeTakeFirstOrThrow(() => notFound('push subscription'))
}

/** Lists the devices of the caller, newest first. */
export async function listDevices(tx: Tx, actor: Actor): Promise<DeviceRow[]> {
  return tx
    .selectFrom('market.push_subscriptions')
    .selectAll()
    .where('account_id', '=', accountOf(actor))
    .orderBy('id', 'desc')
    .execute()
}

/** Returns a device in its wire form. */
export function toDevice({ id, endpoint, browser, created_at, last_success_at }: DeviceRow) {
  return {
    ...{ id, endpoint, browser },
    created_at: created_at.toISOString(),
    last_success_at: last_success_at?.toISOString() ?? null,
  }
}

/** Returns an endpoint in its normal form, which its index has to hold; a fragment is never sent. */
function endpointOf(settings: Pick<Settings, 'webhooks'>, text: string): string {
  requireTarget(settings, text, 'endpoint')
  const url = new URL(text)
  url.hash = ''
  if (url.href.length <= MAX_ENDPOINT_CHARACTERS) return url.href
  throw new Problem(httpProblems.invalid, {
    detail: `endpoint: must have at most ${MAX_ENDPOINT_CHARACTERS} characters, those of %E2 counted.`,
    field: 'endpoint',
  })
}

/**
 * RFC 8291: an uncompressed point on P-256, and sixteen bytes. Returns both in the normal form of base64url.
 */
function keysOf(keys: NewDevice['keys']): NewDevice['keys'] {
  const [point, secret] = [Buffer.from(keys.p256dh, 'base64url'), Buffer.from(keys.auth, 'base64url')]
  if (!isPoint(point)) {
    throw new Problem(httpProblems.invalid, {
      detail: 'keys: p256dh must be an uncompressed point on P-256, in base64url.',
      field: 'keys',
    })
  }
  if (secret.length !== AUTH_BYTES)
    throw new Problem(httpProblems.invalid, { detail: 'keys: auth must be 16 bytes, in base64url.', field: 'keys' })
  return { p256dh: point.toString('base64url'), auth: secret.toString('base64url') }
}

function isPoint(bytes: Buffer): boolean {
  if (bytes.length !== POINT_BYTES || bytes[0] !== UNCOMPRESSED) return false
  try {
    const own = createECDH('prime256v1')
    own.generateKeys()
    own.computeSecret(bytes)
    return true
  } catch {
    return false
  }
}
