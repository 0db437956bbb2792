import { createHash, createHmac } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { canonicalJson, sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { accountOf } from '../../../actor.ts'
import type { Actor, Settings } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import type { Database } from '../../db/generated/tables.ts'
import type { Db, Tx } from '../../db/pool.ts'
import type { RouteDefinition } from '../route/route.ts'
import type { MarketVersion } from '../route/versions.ts'
import { open, seal } from './internal/sealedAnswer.ts'
import { httpProblems } from './problems.ts'
import type { IdempotentCall, RequestContext } from './services.ts'

const HEADER = 'Idempotency-Key'
// Clients send it bare; the draft (ietf-httpapi-idempotency-key-header-07) requires quotes. Both forms are
// the same key.
/** The syntax of a key. */
export const IDEMPOTENCY_KEY = /^(?:"([\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x5b\x5d-\x7e]{1,255}))$/
// A stock x402 client repeats its whole call, including the key, with the payment added: that is a different
// call.
const PAYMENT_HEADER = 'PAYMENT-SIGNATURE'
const PAID = ' paid'

/** A response in its wire form. */
export interface WireAnswer {
  status: number
  headers: Record<string, string>
  /** Null if there is none. */
  body: string | null
}

/** The parts of a request from which its idempotent call is built. */
interface KeyedRequest {
  route: RouteDefinition
  version: MarketVersion
  context: RequestContext
  settings: Settings
  body: Buffer
}

/**
 * Returns the idempotent call of an account's request, or undefined if it has no key. Throws 400 for a
 * malformed key.
 */
export function readAccountCall(request: KeyedRequest, actor: Actor): IdempotentCall | undefined {
  const bearer = request.context.get('credentialSecret')
  const key = readKey(request)
  if (key === undefined || bearer === undefined) return undefined
  return idempotentCallOf(request, { scope: accountOf(actor), key, tokenId: actor.tokenId, bearer })
}

/**
 * Returns the idempotent call of a request that is open to everyone, or undefined if it has no key. Its scope
 * is the SHA-256 of the credential in its body, or the caller's address if the operation has no credential.
 * Throws 400 for a malformed key.
 */
export function readOpenCall(request: KeyedRequest, body: unknown): IdempotentCall | undefined {
  const key = readKey(request)
  if (key === undefined) return undefined
  const { credentialMember } = request.route
  if (credentialMember === undefined) {
    const scope = request.context.get('addressSubject')()
    return idempotentCallOf(request, { scope, key, tokenId: null, bearer: scope })
  }
  const credential = (body as Record<string, unknown>)[credentialMember]
  const bearer = typeof credential === 'string' ? credential : canonicalJson(credential as object)
  return idempotentCallOf(request, { scope: sha256Hex(bearer), key, tokenId: null, bearer })
}

/**
 * Returns the idempotent call of a request whose body was read after its key: the fingerprint then covers
 * these bytes too.
 */
export function bindBytes(idempotent: IdempotentCall, bytes: string): IdempotentCall {
  return { ...idempotent, fingerprint: createHash('sha256').update(idempotent.fingerprint).update(bytes).digest() }
}

function readKey({ route, context }: KeyedRequest): string | undefined {
  const header = context.req.header(HEADER)
  if (header === undefined || route.method === 'get' || route.ignoresKeys) return undefined
  const match = IDEMPOTENCY_KEY.exec(header)
  const key = match?.[1] ?? match?.[2]
  if (key === undefined) {
    throw new Problem(httpProblems.invalid, {
      detail: `${HEADER}: must be 1 to 255 visible ASCII characters without quotes or backslashes, such as a UUID.`,
      field: HEADER,
    })
  }
  return key
}

function idempotentCallOf(
  { route, version, context, settings, body }: KeyedRequest,
  by: Pick<IdempotentCall, 'scope' | 'key' | 'tokenId' | 'bearer'>,
): IdempotentCall {
  const payment = context.req.header(PAYMENT_HEADER)
  const { pathname, search } = new URL(context.req.url)
  const request = JSON.stringify([route.method, pathname, search, version, payment ?? null])
  return {
    ...by,
    operation: payment === undefined ? route.operationId : route.operationId + PAID,
    fingerprint: fingerprintHash(settings).update(request).update('\n').update(body).digest(),
    settings,
  }
}

/**
 * A keyed hash: someone who reads the table cannot search it for the values of a body that holds a secret or
 * an email address. A repetition after SECRET_KEY was replaced is refused as a different request, so nothing
 * is done twice.
 */
function fingerprintHash({ secretKey }: Pick<Settings, 'secretKey'>) {
  return createHmac('sha256', Buffer.from(secretKey, 'hex')).update('idempotency fingerprint ')
}

/**
 * Returns the earlier answer to this call, or undefined if there was no such call or it was refused. Throws
 * 409 if the earlier call was a different request, or if its answer holds a secret that was given to another
 * token.
 */
export async function findAnswer(db: Db, idempotent: IdempotentCall): Promise<WireAnswer | undefined> {
  const row = await findRow(db, idempotent)
  if (!row) return undefined
  if (!row.fingerprint.equals(idempotent.fingerprint)) {
    const orderId = paidOrder(row)
    throw new Problem(httpProblems.keyReused, {
      detail:
        orderId === undefined
          ? 'This key was used for another request to this endpoint. Send that request unchanged, or use a new key.'
          : `This key paid for ${urnString('order', orderId)}. Read that order, and use a new key for another one.`,
      field: HEADER,
      orderId,
    })
  }
  if (row.is_sealed && row.token_id !== idempotent.tokenId) {
    throw new Problem(httpProblems.otherToken, {
      detail: 'The answer to this request has a secret, so only the token that made the request can get it again.',
      field: HEADER,
    })
  }
  return replay(row, idempotent)
}

/**
 * Returns the answer in which a rotated token received its successor, or undefined for any other call: a
 * rotated token may not learn which other calls its account made.
 */
export async function findOwnRotation(
  db: Db,
  idempotent: IdempotentCall,
  params: unknown,
): Promise<WireAnswer | undefined> {
  // A call without a token id concerns the calling token.
  const names = (id: unknown) => id === undefined || id === idempotent.tokenId
  if (typeof params !== 'object' || params === null || !names('urn' in params ? params.urn : undefined))
    return undefined
  const row = await findRow(db, idempotent)
  return row && row.token_id === idempotent.tokenId && row.fingerprint.equals(idempotent.fingerprint)
    ? replay(row, idempotent)
    : undefined
}

type AnswerRow = Selectable<Database['market.idempotent_answers']>

async function findRow(db: Db, { scope, operation, key, settings }: IdempotentCall): Promise<AnswerRow | undefined> {
  return db
    .selectFrom('market.idempotent_answers')
    .selectAll()
    .where('scope', '=', scope)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .where('created_at', '>', sql<Date>`market.now() - make_interval(secs => ${settings.rules.idempotencySeconds})`)
    .executeTakeFirst()
}

/**
 * Returns the order whose payment this key was used for, if one was taken. Any call may have the header of a
 * payment.
 */
function paidOrder({ operation, status, body, is_sealed }: AnswerRow): string | undefined {
  if (!operation.endsWith(PAID) || status !== 202 || is_sealed || body === null) return undefined
  return JSON.parse(body.toString()).order_urn?.body
}

function replay({ status, headers, body, is_sealed }: AnswerRow, { bearer }: IdempotentCall): WireAnswer | undefined {
  if (status === null) return undefined
  const kept = is_sealed && body ? (JSON.parse(open(body, bearer).toString()) as Sealed) : undefined
  return {
    status,
    headers: { ...headers, ...kept?.headers, 'Idempotent-Replayed': 'true' },
    body: kept ? kept.body : (body?.toString() ?? null),
  }
}

/** The encrypted part of an answer that holds a secret: a session's secret is in a header. */
type Sealed = Pick<WireAnswer, 'headers' | 'body'>

/**
 * Does the work unless the call was made before; then it returns the earlier answer. The answer is stored in
 * the transaction of the work, so the answer exists exactly when the effect does. Throws 409 while the same
 * call is already in progress.
 */
export async function answerOnce(
  tx: Tx,
  idempotent: IdempotentCall,
  work: () => Promise<KeptAnswer>,
): Promise<WireAnswer> {
  const { scope, operation, key } = idempotent
  const name = JSON.stringify([scope, operation, key])
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as held`.execute(tx)
  if (!rows[0]?.held) {
    throw new Problem(httpProblems.inFlight, {
      detail: 'A call with this key is in progress. Repeat this one a moment later to get its answer.',
      field: HEADER,
    })
  }
  const earlier = await findAnswer(tx, idempotent)
  if (earlier) return earlier
  const { answer, isSecret } = await work()
  await keep(tx, idempotent, answer, isSecret)
  return answer
}

/** An answer to be stored, and whether it contains a secret. */
export interface KeptAnswer {
  answer: WireAnswer
  isSecret: boolean
}

async function keep(
  tx: Tx,
  idempotent: IdempotentCall,
  { status, headers, body }: WireAnswer,
  isSecret: boolean,
): Promise<void> {
  const sealed: Sealed = { headers, body }
  const answer = isSecret
    ? { headers: '{}', body: seal(Buffer.from(JSON.stringify(sealed)), idempotent.bearer) }
    : { headers: JSON.stringify(headers), body: body === null ? null : Buffer.from(body) }
  const row = { ...rowOf(idempotent), ...answer, status, is_sealed: isSecret }
  await tx
    .insertInto('market.idempotent_answers')
    .values({ ...named(idempotent), ...row })
    // A conflicting row is too old to be returned, or a refusal of the same request.
    .onConflict((conflict) => conflict.columns(['scope', 'operation', 'key']).doUpdateSet(row))
    .execute()
}

/**
 * Binds the key of a refused request to its body: the same key with another body is refused (409). The answer
 * is not kept, so the same request can be tried again. Changes nothing if an earlier call has the key.
 */
export async function bindKey(db: Db, idempotent: IdempotentCall): Promise<void> {
  const row = { ...rowOf(idempotent), headers: '{}', body: null, status: null, is_sealed: false }
  const { idempotencySeconds } = idempotent.settings.rules
  await db
    .insertInto('market.idempotent_answers')
    .values({ ...named(idempotent), ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['scope', 'operation', 'key'])
        .doUpdateSet(row)
        .where(
          'market.idempotent_answers.created_at',
          '<=',
          sql<Date>`market.now() - make_interval(secs => ${idempotencySeconds})`,
        ),
    )
    .execute()
}

function named({ scope, operation, key }: IdempotentCall) {
  return { scope, operation, key }
}

function rowOf({ fingerprint, tokenId }: IdempotentCall) {
  return { fingerprint, token_id: tokenId, created_at: sql<Date>`market.now()` }
}
