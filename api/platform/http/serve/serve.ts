import type { StatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import { type UrnPrefix, urnString } from '../../../../protocol/encoding/urn.ts'
import { Problem, unauthenticated } from '../../../errors.ts'
import type { Tx } from '../../db/pool.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Answer as AnswerDefinition, FreeRoute, RouteDefinition } from '../route/route.ts'
import {
  answerOnce,
  bindBytes,
  bindKey,
  findAnswer,
  findOwnRotation,
  type KeptAnswer,
  type WireAnswer,
} from './idempotency.ts'
import { type CallOf, type Input, type Received, receive } from './receive.ts'
import type { ApplicationServices, RequestContext, Services } from './services.ts'

type Immutable<Value> = Value extends readonly (infer Element)[]
  ? readonly Immutable<Element>[]
  : Value extends object
    ? { readonly [Member in keyof Value]: Immutable<Value[Member]> }
    : Value

type BodyOf<Answer> = Answer extends { schema: infer Schema extends z.ZodType } ? Immutable<z.input<Schema>> : undefined

/** One of the route's answers. */
export type Result<Route extends RouteDefinition> = {
  [Status in keyof Route['answers'] & number]: {
    status: Status
    body: BodyOf<Route['answers'][Status]>
    headers?: Record<string, string>
  }
}[keyof Route['answers'] & number]

/** A verb over HTTP: one operation in a transaction that is opened for it. A Problem thrown rolls it back. */
export type Run<Route extends RouteDefinition, Answer, Prepared> = (
  tx: Tx,
  call: CallOf<Route>,
  input: Input<Route>,
  prepared: Prepared,
) => Promise<Answer>

/**
 * A verb that first needs something from outside: `prepare` runs before the transaction, and may query the
 * chain.
 */
export interface PreparedRun<Route extends RouteDefinition, Answer, Prepared> {
  prepare: (services: ApplicationServices, call: CallOf<Route>, input: Input<Route>) => Promise<Prepared>
  /**
   * Returns what else distinguishes requests whose body is read by `prepare`. An Idempotency-Key is bound to
   * it; a repeated call is prepared again.
   */
  fingerprint?: (prepared: Prepared) => string
  /** Undoes the preparation if the verb refuses the call, or if an earlier call was answered already. */
  discard?: (services: Services, prepared: Prepared) => Promise<void>
  run: Run<Route, Answer, Prepared>
}

/** An answer that needs no transaction. It must be safe to repeat, because no stored effect is tied to it. */
export interface DirectRun<Route extends RouteDefinition, Answer> {
  withoutTransaction: (services: Services, call: CallOf<Route>, input: Input<Route>) => Promise<Answer>
}

type Verb<Route extends RouteDefinition, Answer, Prepared> =
  | Run<Route, Answer, undefined>
  | PreparedRun<Route, Answer, Prepared>
  | DirectRun<Route, Answer>

/** A route with its handler. */
export interface ServedRoute {
  route: RouteDefinition
  respond: (services: ApplicationServices, context: RequestContext) => Promise<Response>
}

/** Binds a route to its verb. */
export function serve<Route extends FreeRoute, const Answer extends Result<Route>, Prepared = undefined>(
  route: Route,
  verb: Verb<Route, Answer, Prepared>,
): ServedRoute {
  return serveFramed(route, verb)
}

/** Binds a route with a `caller` to its verb. Only the frame that resolves that caller may use it. */
export function serveFramed<Route extends RouteDefinition, const Answer extends Result<Route>, Prepared = undefined>(
  route: Route,
  verb: Verb<Route, Answer, Prepared>,
): ServedRoute {
  return { route, respond: (services, context) => respond(route, verb, services, context) }
}

async function respond<Route extends RouteDefinition, Answer extends Result<Route>, Prepared>(
  route: Route,
  verb: Verb<Route, Answer, Prepared>,
  services: ApplicationServices,
  context: RequestContext,
): Promise<Response> {
  try {
    const request = await receive(services, route, context)
    const { status, headers, body } = await answer(route, verb, services, context, request)
    return context.newResponse(body, status as StatusCode, headers)
  } catch (error) {
    await keepRefusal(services, context, error)
    throw error
  }
}

/** Binds the Idempotency-Key of a refused request to that request. */
export async function keepRefusal({ db }: Services, context: RequestContext, error: unknown): Promise<void> {
  const idempotent = context.get('idempotentCall')
  if (idempotent && bindsKey(error)) await bindKey(db, idempotent)
}

// Not for refusals of the caller or of the key itself, which say nothing about the request.
function bindsKey(error: unknown): boolean {
  if (!(error instanceof Problem) || error.problem.startsWith('idempotency/')) return false
  const { status } = error.type
  return status >= 400 && status < 500 && status !== 401 && status !== 429
}

async function answer<Route extends RouteDefinition, Answer extends Result<Route>, Prepared>(
  route: Route,
  verb: Verb<Route, Answer, Prepared>,
  services: ApplicationServices,
  context: RequestContext,
  { version, actor, call, input }: Received<Route>,
): Promise<WireAnswer> {
  const { db, versions } = services
  const bindsBytes = typeof verb === 'object' && 'prepare' in verb && verb.fingerprint !== undefined
  const idempotent = context.get('idempotentCall')
  // The request cannot be identified until its bytes are read.
  if (bindsBytes) context.set('idempotentCall', undefined)
  const find = actor?.isRotated ? findOwnRotation : findAnswer
  const earlier = idempotent && !bindsBytes && (await find(db, idempotent, input.params))
  if (earlier) return earlier
  if (actor?.isRotated) throw unauthenticated()

  const encode = (result: Result<Route>) =>
    encodeAnswer(route, result, versions.downgradeResponse(version, route.operationId, result))
  if ('withoutTransaction' in verb) {
    const direct = encode(await verb.withoutTransaction(services, call, input))
    // Two simultaneous calls may both take effect, and get the same answer.
    return idempotent
      ? inTransaction(db, 'read write', (tx) => answerOnce(tx, idempotent, async () => direct))
      : direct.answer
  }
  const { run, fingerprint, discard } = await prepareRun(verb, services, call, input)
  const bound = idempotent && fingerprint !== undefined ? bindBytes(idempotent, fingerprint) : idempotent
  context.set('idempotentCall', bound)
  const accessMode = route.method === 'get' && !route.isRecorded ? 'read only' : 'read write'
  let isDone = false
  const write = inTransaction(db, accessMode, async (tx) => {
    isDone = false
    if (actor && accessMode === 'read write') await services.lockAccount(tx, actor.humanId)
    const work = async () => {
      const result = encode(await run(tx))
      isDone = true
      return result
    }
    return bound ? answerOnce(tx, bound, work) : (await work()).answer
  })
  const answered = await orDiscard(write, discard)
  if (!isDone) await discard()
  return answered
}

/**
 * Returns the answer of a transaction. A problem rolls back; any other failure may have come before or after
 * the commit.
 */
async function orDiscard<Answer>(write: Promise<Answer>, discard: () => Promise<void>): Promise<Answer> {
  try {
    return await write
  } catch (error) {
    if (error instanceof Problem) await discard()
    throw error
  }
}

/** Does everything that must happen outside the transaction, and returns the rest to run inside it. */
async function prepareRun<Route extends RouteDefinition, Answer, Prepared>(
  verb: Run<Route, Answer, undefined> | PreparedRun<Route, Answer, Prepared>,
  services: ApplicationServices,
  call: CallOf<Route>,
  input: Input<Route>,
): Promise<{ run: (tx: Tx) => Promise<Answer>; fingerprint?: string | undefined; discard: () => Promise<void> }> {
  if (typeof verb === 'function') return { run: (tx) => verb(tx, call, input, undefined), discard: async () => {} }
  const prepared = await verb.prepare(services, call, input)
  return {
    run: (tx) => verb.run(tx, call, input, prepared),
    fingerprint: verb.fingerprint?.(prepared),
    discard: async () => verb.discard?.(services, prepared),
  }
}

function encodeAnswer<Route extends RouteDefinition>(
  route: Route,
  { status, body: current, headers = {} }: Result<Route>,
  body: unknown,
): KeptAnswer {
  const isSecret = route.answers[status]?.isSecret ?? false
  if (body === undefined) return { answer: { status, headers, body: null }, isSecret }
  const typed = { 'Content-Type': 'application/json', ...locationOf(route.answers[status], current), ...headers }
  return { answer: { status, headers: typed, body: JSON.stringify(body) }, isSecret }
}

function locationOf(answer: AnswerDefinition | undefined, body: unknown): Record<string, string> {
  if (!answer?.location) return {}
  const { under, member } = answer.location
  const { prefix, body: id } = (body as Record<string, { prefix: UrnPrefix; body: string }>)[member] ?? {}
  if (prefix === undefined || id === undefined) throw new Error(`an answer has no URN in its member ${member}`)
  return { Location: `${under}/${urnString(prefix, id)}` }
}
