import type { z } from 'zod'
import { accountOf } from '../../../actor.ts'
import type { Actor, AgentCall, CallContext, PublicCall } from '../../../context.ts'
import { type ListQuery, RequestedList } from '../route/pagination.ts'
import type { RouteDefinition } from '../route/route.ts'
import type { MarketVersion } from '../route/versions.ts'
import { requireJsonAccepted } from './accept.ts'
import { readAccountCall, readOpenCall } from './idempotency.ts'
import { type RawInput, readAddress, readJsonBody, readRaw } from './input.ts'
import { leaveUncounted, limitAddress } from './limits.ts'
import type { ApplicationServices, RequestContext } from './services.ts'
import { readVersion } from './version.ts'

type Output<Schema, Absent> = Schema extends z.ZodType ? z.output<Schema> : Absent

/** A request's input, as received and as parsed by its route's schemas. */
export interface Input<Route extends RouteDefinition> {
  params: Output<Route['params'], unknown>
  query: Output<Route['query'], unknown>
  body: Output<Route['body'], undefined>
  raw: RawInput
  /** The requested part of a list. */
  list: Output<Route['query'], unknown> extends ListQuery ? RequestedList : undefined
}

/** The type of a route's call, with the caller that its access requires. */
export type CallOf<Route extends RouteDefinition> = Route['access'] extends 'public'
  ? PublicCall
  : Route['access'] extends { as: 'agent' }
    ? AgentCall
    : CallContext

/** A request that passed every check of its route. */
export interface Received<Route extends RouteDefinition> {
  version: MarketVersion
  actor: Actor | undefined
  call: CallOf<Route>
  input: Input<Route>
}

/**
 * Checks a request against its route: version, limit, caller, accepted types, input. Cheap checks come first.
 * The body is read last, once we know that its sender may send one. Stores the idempotent call of a request
 * with an Idempotency-Key in the context. Throws a Problem.
 */
export async function receive<Route extends RouteDefinition>(
  services: ApplicationServices,
  route: Route,
  context: RequestContext,
): Promise<Received<Route>> {
  context.set('operationId', route.operationId)
  const version = readVersion(services.versions, route, context)
  if (route.isUncounted) leaveUncounted(services, context)
  else if (route.access === 'public') await limitAddress(services, context)
  const actor = await services.authenticate(services, route, context)
  requireJsonAccepted(route, context)
  const address = readAddress(route, context)
  const raw = await readRaw(route, context)
  const { settings, versions } = services
  const keyed = { route, version, context, settings, body: raw.body }
  // Before the body is validated, because a refused body is bound to its key too.
  if (actor) context.set('idempotentCall', readAccountCall(keyed, actor))
  const body = readJsonBody(versions, route, version, context, raw.body)
  if (!actor) context.set('idempotentCall', readOpenCall(keyed, body))
  const list = isListQuery(route, address.query)
    ? new RequestedList(settings, address.query, boundTo(route, actor, address.params))
    : undefined
  const input = { ...address, body, raw, list } as Input<Route>
  const base = { settings, requestId: context.get('requestId') }
  // The route's access decides which of the two shapes this is, and `authenticate` follows the same access.
  const call = (actor ? { ...base, actor } : base) as CallOf<Route>
  return { version, actor, call, input }
}

function isListQuery({ query: schema }: RouteDefinition, query: unknown): query is ListQuery {
  return schema !== undefined && 'cursor' in schema.shape && query !== undefined
}

function boundTo({ operationId }: RouteDefinition, actor: Actor | undefined, params: unknown): readonly unknown[] {
  return [operationId, actor ? accountOf(actor) : null, params]
}
