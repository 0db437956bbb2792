import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Actor, Settings } from '../context.ts'
import type { Db, Tx } from '../db/pool.ts'
import type { Database } from '../db/schema.ts'
import { Problem } from '../errors.ts'
import type { MarketVersion } from '../versions/versions.ts'
import { presentedBy } from './credential.ts'
import type { RouteDefinition } from './route.ts'
import { open, seal } from './sealedAnswer.ts'
import type { RequestContext } from './serve.ts'
import type { WireAnswer } from './wireAnswer.ts'

const HEADER = 'Idempotency-Key'
// Clients send it bare, the draft (ietf-httpapi-idempotency-key-header-07) wants it quoted: both name the same key.
/** What a key looks like. */
export const IDEMPOTENCY_KEY = /^(?:"([\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x5b\x5d-\x7e]{1,255}))$/
// A stock x402 client repeats its whole call, the key with it, with the payment: that is another call.
const PAYMENT_HEADER = 'PAYMENT-SIGNATURE'

/** A write that its sender wants done once, however often it is sent: by account, operation and key (spec 8). */
export interface Claim {
  accountId: string
  operation: string
  key: string
  /** Of the request as it came. Two that differ are two calls. */
  fingerprint: Buffer
  tokenId: string
  /** The secret of the presenting token or session, of which the key of a sealed answer is made. */
  bearer: string
  settings: Settings
}

/** The claim of a request, or undefined where it makes none. Throws 400 for a key of no possible form. */
export function readClaim(
  route: RouteDefinition,
  version: MarketVersion,
  { actor, settings }: { actor?: Actor; settings: Settings },
  context: RequestContext,
  body: Buffer,
): Claim | undefined {
  const header = context.req.header(HEADER)
  if (header === undefined || route.method === 'get' || !actor) return undefined
  const bearer = presentedBy(settings.web, context)?.secret
  if (bearer === undefined) return undefined
  const match = IDEMPOTENCY_KEY.exec(header)
  const key = match?.[1] ?? match?.[2]
  if (key === undefined) {
    throw new Problem('request/invalid', {
      detail: `${HEADER}: must be 1 to 255 visible ASCII characters without quotes or backslashes, such as a UUID.`,
      field: HEADER,
    })
  }
  const payment = context.req.header(PAYMENT_HEADER)
  const { pathname, search } = new URL(context.req.url)
  const request = JSON.stringify([route.method, pathname, search, version, payment ?? null])
  return {
    accountId: actor.agentId ?? actor.humanId,
    operation: payment === undefined ? route.operationId : `${route.operationId} paid`,
    key,
    fingerprint: createHash('sha256').update(request).update('\n').update(body).digest(),
    tokenId: actor.tokenId,
    bearer,
    settings,
  }
}

/**
 * The answer that an earlier call of this claim was given. Throws 409 where that was another request, or where the
 * answer holds a secret that another token was told.
 */
export async function findAnswer(db: Db | Tx, claim: Claim): Promise<WireAnswer | undefined> {
  const row = await findRow(db, claim)
  if (!row) return undefined
  if (!row.fingerprint.equals(claim.fingerprint)) {
    throw new Problem('idempotency/key-reused', {
      detail: 'This key was used for another request to this endpoint. Send that request unchanged, or take a new key.',
      field: HEADER,
    })
  }
  if (row.is_sealed && row.token_id !== claim.tokenId) {
    throw new Problem('idempotency/other-token', {
      detail: 'The answer to this request holds a secret, and is repeated to the token that made the request alone.',
      field: HEADER,
    })
  }
  return replay(row, claim)
}

/**
 * The answer that told a rotated token of its successor, or undefined where the claim is for anything else: what its
 * account did besides is not told to it, not even that it was done.
 */
export async function findOwnRotation(db: Db, claim: Claim, params: unknown): Promise<WireAnswer | undefined> {
  // A call that names no token is for the one that makes it.
  const names = (id: unknown) => id === undefined || id === claim.tokenId
  if (typeof params !== 'object' || params === null || !names('urn' in params ? params.urn : undefined))
    return undefined
  const row = await findRow(db, claim)
  return row?.token_id === claim.tokenId && row.fingerprint.equals(claim.fingerprint) ? replay(row, claim) : undefined
}

type AnswerRow = Selectable<Database['market.idempotent_answers']>

async function findRow(db: Db | Tx, { accountId, operation, key, settings }: Claim): Promise<AnswerRow | undefined> {
  return db
    .selectFrom('market.idempotent_answers')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .where('created_at', '>', sql<Date>`market.now() - make_interval(secs => ${settings.rules.idempotencySeconds})`)
    .executeTakeFirst()
}

function replay(row: AnswerRow, claim: Claim): WireAnswer {
  const body = row.body && row.is_sealed ? open(row.body, claim.bearer) : row.body
  const headers = { ...row.headers, 'Idempotent-Replayed': 'true' }
  return { status: row.status, headers, body: body?.toString() ?? null }
}

/**
 * Does what is claimed, unless that was done: then the earlier answer is given again. In the transaction of the work
 * itself, so that the answer is on file exactly when the effect is. Throws 409 while another call of the claim is at work.
 */
export async function answerOnce(tx: Tx, claim: Claim, work: () => Promise<KeptAnswer>): Promise<WireAnswer> {
  const { accountId, operation, key } = claim
  const name = JSON.stringify([accountId, operation, key])
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as held`.execute(tx)
  if (!rows[0]?.held) {
    throw new Problem('idempotency/in-flight', {
      detail: 'A call with this key is being worked on. Repeat this one a moment later to get its answer.',
      field: HEADER,
    })
  }
  const earlier = await findAnswer(tx, claim)
  if (earlier) return earlier
  const { answer, isSecret } = await work()
  await keep(tx, claim, answer, isSecret)
  return answer
}

/** An answer to be kept, and whether it tells what only its receiver may know. */
export interface KeptAnswer {
  answer: WireAnswer
  isSecret: boolean
}

async function keep(tx: Tx, claim: Claim, { status, headers, body }: WireAnswer, isSecret: boolean): Promise<void> {
  const bytes = body === null ? null : Buffer.from(body)
  const row = {
    fingerprint: claim.fingerprint,
    token_id: claim.tokenId,
    status,
    headers: JSON.stringify(headers),
    body: bytes && isSecret ? seal(bytes, claim.bearer) : bytes,
    is_sealed: isSecret,
    created_at: sql<Date>`market.now()`,
  }
  await tx
    .insertInto('market.idempotent_answers')
    .values({ account_id: claim.accountId, operation: claim.operation, key: claim.key, ...row })
    // Only one too old to be found can be there.
    .onConflict((conflict) => conflict.columns(['account_id', 'operation', 'key']).doUpdateSet(row))
    .execute()
}
