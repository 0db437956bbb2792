import type { z } from 'zod'
import type { ProblemType } from '../../../errors.ts'
import type { Scope } from '../../db/generated/tables.ts'
import type { MarketVersion } from './versions.ts'

/**
 * Who may call a route. `agent`: an agent, or a human who names one of their agents in Market-Agent. `human`:
 * a token of a human. `operator`: a token of a human with the operator role. `any`: an agent or a human,
 * acting for itself.
 */
export type Access =
  | 'public'
  | {
      /** `none`: no scope is needed, because the token acts on itself. */
      scope: Scope | 'none'
      as: 'agent' | 'human' | 'operator' | 'any'
      /**
       * A token that was just rotated may repeat this call with its Idempotency-Key, and gets the same answer
       * again.
       */
      acceptsRotated?: true
      /** Outside a sandbox it requires a session with a fresh passkey sign-in; no token is accepted. */
      reAuth?: true
    }

/** An answer that is not a problem. Its body on the wire is the schema's input. */
export interface Answer {
  description: string
  schema?: z.ZodType
  /** Bytes instead of JSON; with a schema, a stream of them instead of the JSON. */
  contentType?: string
  headers?: Record<string, string>
  /**
   * Where the created or changed object can be read: a path, to which the URN in this member of the answer is
   * appended.
   */
  location?: { under: string; member: string }
  /** The answer contains a secret: its stored copy for idempotent repetition is encrypted. */
  isSecret?: true
}

/**
 * One operation of the API, as data: requests are validated against it, and OpenAPI and the client are
 * generated from it.
 */
export interface RouteDefinition {
  operationId: string
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** With OpenAPI's placeholders: /v1/orders/{urn} */
  path: string
  summary: string
  /**
   * The group that these operations have in the API reference: it has the operations under this path's
   * beginning, up to the word that is the group's name, or under the whole path. One operation of each group
   * describes it.
   */
  group?: { name: string; about?: string }
  access: Access
  /**
   * What else the caller must be. The route's own room resolves this in the verb's transaction, and passes it
   * to the verb.
   */
  caller?: string
  /** It belongs to the workspace: Market-Version is ignored there, and its problems have a `code`. */
  isWorkspace?: true
  /** A liveness probe: not counted against any rate limit, and never refused by one. */
  isUncounted?: true
  /** It changes nothing, even if its method is not GET: it counts as one of the account's reads. */
  isCountedAsRead?: true
  /** A WebSocket handshake: the bearer token may come as a subprotocol (spec 5.5). */
  socket?: true
  /** Set only if it does not exist in every version. */
  versions?: readonly MarketVersion[]
  /** Request headers specific to the operation, all optional: name → description. */
  requestHeaders?: Record<string, string>
  params?: z.ZodObject
  query?: z.ZodObject
  /** JSON. If set, it is required, unless all of its members are optional. Unknown members are refused. */
  body?: z.ZodType
  /**
   * The body's member with the credential, in a call without a token: an Idempotency-Key is bound to its
   * SHA-256, and in an open call without such a member to the caller's address.
   */
  credentialMember?: string
  /** It starts a browser's session: pages of other sites may not call it. */
  beginsSession?: true
  /** An example body, for a body whose required members alone are not a valid one. */
  bodyExample?: unknown
  /**
   * The body is bytes, and the verb reads them as they arrive. The query identifies the call, including a
   * hash of the bytes: an Idempotency-Key is bound to the query.
   */
  upload?: true
  /** Its path and query say everything. A body of any media type is read and dropped. */
  ignoresBody?: true
  /** The media type of an upload that is neither a form nor plain bytes. */
  uploadType?: string
  /** Repeating the call is harmless, so an Idempotency-Key is ignored. */
  ignoresKeys?: true
  /**
   * The upload is a multipart form (RFC 7578): these fields, and last the part `file`, which the verb reads
   * as it arrives.
   */
  form?: z.ZodObject
  /** By status. Response headers are name → description. */
  answers: Record<number, Answer>
  /** A read with a side effect: its verb may write what the service learns from the read. */
  isRecorded?: true
  /** The problems of the operation's own rules; the problems that every route can return are added. */
  problems?: readonly ProblemType[]
}

/** A route whose only demand on its caller is its access. */
export type FreeRoute = RouteDefinition & { caller?: undefined }

/** Defines a route and keeps its exact types, from which those of its verb are derived. */
export function defineRoute<const Route extends RouteDefinition>(route: Route): Route {
  return route
}
