import type { z } from 'zod'
import type { Scope } from '../db/schema/accounts.ts'
import type { ProblemName } from '../errors.ts'
import type { MarketVersion } from '../versions/versions.ts'

/**
 * Who may call a route. `agent`: an agent, or a human who names one of theirs in Market-Agent. `human`: a token of a
 * human. `operator`: a token of a human with the operator role. `any`: each of them, for itself.
 */
export type Access =
  | 'public'
  | {
      /** `none`: whatever a token's scopes, it may do this to itself. */
      scope: Scope | 'none'
      as: 'agent' | 'human' | 'operator' | 'any'
      /** A token that was just rotated may repeat this call by its Idempotency-Key, and have its answer again. */
      acceptsRotated?: true
      /** Outside a sandbox it takes a session whose passkey is fresh: no token reaches it. */
      reAuth?: true
    }

/** An answer that is not a problem. Its body on the wire is the schema's input. */
export interface Answer {
  description: string
  schema?: z.ZodType
  /** Bytes instead of JSON. */
  contentType?: string
  headers?: Record<string, string>
  /** Where what it is about can be read from then on: a path, and the member of the answer whose URN follows it. */
  location?: { under: string; member: string }
  /** Where it tells what only its receiver may know: an idempotent repetition of it is kept encrypted. */
  isSecret?: true
}

/** One operation of the API, as data: its requests are validated by it, OpenAPI and the client are made from it. */
export interface RouteDefinition {
  operationId: string
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** With OpenAPI's placeholders: /v1/orders/{urn} */
  path: string
  summary: string
  access: Access
  /** It is asked to see whether a process is alive: not counted to anybody's limit, and never refused by one. */
  isUncounted?: true
  /** Only where it does not exist in every version. */
  versions?: readonly MarketVersion[]
  /** Request headers of the operation's own, all optional: name → description. */
  requestHeaders?: Record<string, string>
  params?: z.ZodObject
  query?: z.ZodObject
  /** JSON, required where given. Members it does not name are refused. */
  body?: z.ZodType
  /** A body to show, where the members that must be there alone make none. */
  bodyExample?: unknown
  /**
   * The body is bytes, and the verb reads them as they arrive. What tells one call from another is in the query, a hash
   * of the bytes with it: an Idempotency-Key is bound to that.
   */
  upload?: true
  /** By status. Response headers are name → description. */
  answers: Record<number, Answer>
  /** Locks the caller's account by itself: it ends with this call. Others hold it, beside each other. */
  locksAccount?: true
  /** The problems of the operation's own rules; those every route can answer with are added. */
  problems?: readonly ProblemName[]
}

/** Keeps a route's exact types, from which those of its verb follow. */
export function defineRoute<const Route extends RouteDefinition>(route: Route): Route {
  return route
}
