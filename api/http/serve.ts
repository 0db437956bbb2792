import type { Context } from 'hono'
import type { Logger } from 'pino'
import type { PublicClient } from 'viem'
import type { z } from 'zod'
import type { AgentCall, CallContext, PublicCall, Settings } from '../context.ts'
import type { Db, Tx } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { downgradeResponse } from '../versions/adapt.ts'
import type { MarketVersion } from '../versions/versions.ts'
import { authenticate } from './auth.ts'
import { readInput } from './input.ts'
import type { RouteDefinition } from './route.ts'
import { readVersion } from './version.ts'

/** What the process has open. */
export interface Services {
  db: Db
  rpc: PublicClient
  settings: Settings
  log: Logger
}

/** What a request's handling leaves for the log and for the answer's headers. */
export interface RequestState {
  requestId: string
  version?: MarketVersion
  operationId?: string
  problem?: string
}

export type RequestContext = Context<{ Variables: RequestState }>

type Output<Schema, Absent> = Schema extends z.ZodType ? z.output<Schema> : Absent

/** A request as its route's schemas leave it, and as it came. */
export interface Input<Route extends RouteDefinition> {
  params: Output<Route['params'], unknown>
  query: Output<Route['query'], unknown>
  body: Output<Route['body'], undefined>
  raw: { body: Buffer; header: (name: string) => string | undefined }
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

type Verb<Route extends RouteDefinition, Answer, Prepared> =
  | Run<Route, Answer, undefined>
  | PreparedRun<Route, Answer, Prepared>
  | DirectRun<Route, Answer>

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
  const version = readVersion(route, context)
  const actor = await authenticate(services.db, route.access, context)
  const base = { settings: services.settings, requestId: context.get('requestId') }
  // The route's access decides which of the two shapes this is, and authenticate goes by the same access.
  const call = (actor ? { ...base, actor } : base) as CallOf<Route>
  const input = (await readInput(route, version, context)) as Input<Route>
  const answer = await execute(route, verb, services, call, input)
  return answerWith(route, version, answer)
}

async function execute<Route extends RouteDefinition, Answer, Prepared>(
  route: Route,
  verb: Verb<Route, Answer, Prepared>,
  services: Services,
  call: CallOf<Route>,
  input: Input<Route>,
): Promise<Answer> {
  const access = route.method === 'get' ? 'read only' : 'read write'
  if (typeof verb === 'function') return inTransaction(services.db, access, (tx) => verb(tx, call, input, undefined))
  if ('withoutTransaction' in verb) return verb.withoutTransaction(services, call, input)
  const prepared = await verb.prepare(services, call, input)
  return inTransaction(services.db, access, (tx) => verb.run(tx, call, input, prepared))
}

function answerWith<Route extends RouteDefinition>(
  route: Route,
  version: MarketVersion,
  answer: Result<Route>,
): Response {
  const body = downgradeResponse(version, route.operationId, answer)
  const headers = new Headers(answer.headers)
  if (body === undefined) return new Response(null, { status: answer.status, headers })
  headers.set('content-type', headers.get('content-type') ?? 'application/json')
  return new Response(JSON.stringify(body), { status: answer.status, headers })
}
