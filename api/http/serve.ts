import type { Context } from 'hono'
import type { Logger } from 'pino'
import type { PublicClient } from 'viem'
import type { z } from 'zod'
import { type UrnPrefix, urnString } from '../../protocol/urn.ts'
import { holdHuman } from '../accounts/hold.ts'
import type { Actor, AgentCall, CallContext, PublicCall, Settings } from '../context.ts'
import type { Db, Tx } from '../db/pool.ts'
import type { Place } from '../db/runner.ts'
import { inTransaction } from '../db/transaction.ts'
import { downgradeResponse } from '../versions/adapt.ts'
import type { MarketVersion } from '../versions/versions.ts'
import { requireJsonAccepted } from './accept.ts'
import { authenticateAhead } from './ahead.ts'
import { authenticate } from './auth.ts'
import { unknownToken } from './credentials.ts'
import { frameHeaders } from './frameHeaders.ts'
import { answerOnce, type Claim, findAnswer, findOwnRotation, type KeptAnswer, readClaim } from './idempotency.ts'
import { parseParams, readInput } from './input.ts'
import { leaveUncounted, limitAddress, type Standing } from './limits.ts'
import type { Answer as AnswerDefinition, RouteDefinition } from './route.ts'
import { readVersion } from './version.ts'
import { responseOf, type WireAnswer } from './wireAnswer.ts'

/** What the process has open. */
export interface Services {
  db: Db
  rpc: PublicClient
  settings: Settings
  log: Logger
  /** Proxies whose word for where a request comes from is taken: addresses or networks. Default: none. */
  trustedProxies?: readonly string[]
  /** How long a body of JSON may take to arrive; uploads have the server's own limit. Default: 15 seconds. */
  bodyTimeoutMs?: number
}

/** What a request's handling leaves for the log and for the answer's headers. */
export interface RequestState {
  requestId: string
  version?: MarketVersion
  operationId?: string
  problem?: string
  /** What the address a request comes from is counted as. */
  addressSubject: () => string
  bodyTimeoutMs: number
  /** Towards the limit that the request was counted to. */
  standing?: Standing
  /** Whether the answer was made with the headers that every one has. */
  isFramed?: true
}

export type RequestContext = Context<{ Variables: RequestState }>

type Output<Schema, Absent> = Schema extends z.ZodType ? z.output<Schema> : Absent

/** A request as its route's schemas leave it, and as it came. */
export interface Input<Route extends RouteDefinition> {
  params: Output<Route['params'], unknown>
  query: Output<Route['query'], unknown>
  body: Output<Route['body'], undefined>
  raw: { body: Buffer; stream: ReadableStream<Uint8Array> | null; header: (name: string) => string | undefined }
}

/** The caller, as far as the route's access says there is one. */
export type CallOf<Route extends RouteDefinition> = Route['access'] extends 'public'
  ? PublicCall
  : Route['access'] extends { as: 'agent' }
    ? AgentCall
    : CallContext

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

/** A verb that needs something from outside first: `prepare` runs before the transaction, and may ask the chain. */
export interface PreparedRun<Route extends RouteDefinition, Answer, Prepared> {
  prepare: (services: Services, call: CallOf<Route>, input: Input<Route>) => Promise<Prepared>
  run: Run<Route, Answer, Prepared>
}

/** An answer that needs no transaction. */
export interface DirectRun<Route extends RouteDefinition, Answer> {
  withoutTransaction: (services: Services, call: CallOf<Route>, input: Input<Route>) => Promise<Answer>
}

/** A read that is asked for along with who calls, by what the path names alone; `answer` says whether the caller may have it. */
export interface AheadRun<Route extends RouteDefinition, Answer, Prepared> {
  ahead: (place: Place, params: Input<Route>['params']) => Promise<Prepared>
  answer: (call: CallOf<Route>, read: Prepared) => Answer
}

type Verb<Route extends RouteDefinition, Answer, Prepared> =
  | Run<Route, Answer, undefined>
  | PreparedRun<Route, Answer, Prepared>
  | DirectRun<Route, Answer>
  | AheadRun<Route, Answer, Prepared>

/** A route with the code that answers it, its types checked against each other and then put away. */
export interface ServedRoute {
  route: RouteDefinition
  respond: (services: Services, context: RequestContext) => Promise<Response>
}

/** Binds a route to its verb. */
export function serve<Route extends RouteDefinition, const Answer extends Result<Route>, Prepared = undefined>(
  route: Route,
  verb: Verb<Route, Answer, Prepared>,
): ServedRoute {
  return { route, respond: (services, context) => respond(route, verb, services, context) }
}

// Cheap refusals come first, and nothing is read of a body before its sender may send one.
async function respond<Route extends RouteDefinition, Answer extends Result<Route>, Prepared>(
  route: Route,
  verb: Verb<Route, Answer, Prepared>,
  services: Services,
  context: RequestContext,
): Promise<Response> {
  context.set('operationId', route.operationId)
  if (route.isUncounted) leaveUncounted(services, context)
  else if (route.access === 'public') await limitAddress(services, context)
  const version = readVersion(route, context)
  const params = parseParams(route, context)
  const { actor, read } =
    'ahead' in verb && params.success
      ? await authenticateAhead(services, route, context, (place) =>
          verb.ahead(place, params.data as Input<Route>['params']),
        )
      : { actor: await authenticate(services, route, context) }
  const base = { settings: services.settings, requestId: context.get('requestId') }
  // The route's access decides which of the two shapes this is, and authenticate goes by the same access.
  const call = (actor ? { ...base, actor } : base) as CallOf<Route>
  requireJsonAccepted(route, context)
  const input = (await readInput(route, version, context, params)) as Input<Route>
  const claim = readClaim(route, version, call, context, input.raw.body)
  const encode = (answer: Answer) => encodeAnswer(route, version, answer)
  const earlier =
    claim &&
    (await (actor?.isRotated ? findOwnRotation(services.db, claim, input.params) : findAnswer(services.db, claim)))
  if (actor?.isRotated && !earlier) throw unknownToken()
  const answer =
    earlier ??
    (await execute<Route, Answer, Prepared>(route, verb, services, { call, actor, input, claim, encode, read }))
  return responseOf(answer, frameHeaders(context))
}

/** What a verb is run with, and how its answer becomes one on the wire. */
interface Execution<Route extends RouteDefinition, Answer, Prepared> {
  call: CallOf<Route>
  actor: Actor | undefined
  input: Input<Route>
  claim: Claim | undefined
  encode: (answer: Answer) => KeptAnswer
  /** What a verb that reads ahead has read. */
  read?: Prepared | undefined
}

async function execute<Route extends RouteDefinition, Answer, Prepared>(
  route: Route,
  verb: Verb<Route, Answer, Prepared>,
  services: Services,
  { call, actor, input, claim, encode, read }: Execution<Route, Answer, Prepared>,
): Promise<WireAnswer> {
  const access = route.method === 'get' ? 'read only' : 'read write'
  const isHeld = actor !== undefined && access === 'read write' && !route.locksAccount
  const transact = (run: (tx: Tx) => Promise<Answer>) =>
    inTransaction(services.db, access, async (tx) => {
      const work = async () => encode(await run(tx))
      const answered = async () => (claim ? answerOnce(tx, claim, work) : (await work()).answer)
      return isHeld ? whileHeld(tx, actor.humanId, answered) : answered()
    })
  if (typeof verb === 'function') return transact((tx) => verb(tx, call, input, undefined))
  if ('ahead' in verb) return encode(verb.answer(call, read as Prepared)).answer
  // Outside a transaction nothing ties an answer to its effect: what is served so must bear being repeated.
  if ('withoutTransaction' in verb) return encode(await verb.withoutTransaction(services, call, input)).answer
  const prepared = await verb.prepare(services, call, input)
  return transact((tx) => verb.run(tx, call, input, prepared))
}

// The work is begun before it is known that the human is there, so that both travel together: nothing stays of it otherwise.
async function whileHeld<Answer>(tx: Tx, humanId: string, work: () => Promise<Answer>): Promise<Answer> {
  const [held, answer] = await Promise.allSettled([holdHuman(tx, humanId), work()])
  if (held.status === 'rejected') throw held.reason
  if (!held.value) throw unknownToken()
  if (answer.status === 'rejected') throw answer.reason
  return answer.value
}

function encodeAnswer<Route extends RouteDefinition>(
  route: Route,
  version: MarketVersion,
  result: Result<Route>,
): KeptAnswer {
  const body = downgradeResponse(version, route.operationId, result)
  const isSecret = route.answers[result.status]?.isSecret ?? false
  const { status, headers = {} } = result
  if (body === undefined) return { answer: { status, headers, body: null }, isSecret }
  const typed = { 'Content-Type': 'application/json', ...locationOf(route.answers[status], result.body), ...headers }
  return { answer: { status, headers: typed, body: JSON.stringify(body) }, isSecret }
}

function locationOf(answer: AnswerDefinition | undefined, body: unknown): Record<string, string> {
  if (!answer?.location) return {}
  const { under, member } = answer.location
  const { prefix, body: id } = (body as Record<string, { prefix: UrnPrefix; body: string }>)[member] ?? {}
  if (prefix === undefined || id === undefined) throw new Error(`an answer has no URN in its member ${member}`)
  return { Location: `${under}/${urnString(prefix, id)}` }
}
