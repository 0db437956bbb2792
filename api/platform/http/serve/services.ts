import type { Context } from 'hono'
import type { Logger } from 'pino'
import type { PublicClient } from 'viem'
import type { z } from 'zod'
import type { Actor, Settings } from '../../../context.ts'
import type { Db, IndexDb, Tx } from '../../db/pool.ts'
import type { RouteDefinition } from '../route/route.ts'
import type { MarketVersion } from '../route/versions.ts'
import type { Windows } from './windows.ts'

/** A caller's use of a quota after a request was counted. */
export interface RateLimitStatus {
  policy: 'reads' | 'writes' | 'anonymous'
  quota: number
  windowSeconds: number
  used: number
  /** Seconds until the window ends and the whole quota is available again. */
  resetsSeconds: number
}

/**
 * A write that must take effect only once, even if it is sent several times: by scope, operation and key
 * (spec 8).
 */
export interface IdempotentCall {
  /**
   * The account's id. In an open call: the SHA-256 of the credential in the body, or the caller's address if
   * there is none.
   */
  scope: string
  operation: string
  key: string
  /** A hash of the request as received. Requests with different fingerprints are different calls. */
  fingerprint: Buffer
  /** Null in an open call. */
  tokenId: string | null
  /**
   * The token, the session's secret or the credential presented, from which the key of a sealed answer is
   * derived.
   */
  bearer: string
  settings: Settings
}

/** The open resources of the process. */
export interface Services {
  db: Db
  rpc: PublicClient
  settings: Settings
  log: Logger
  /**
   * The index of the chain; the health check reports its progress. Default: none, which the health check
   * reports too.
   */
  index?: IndexDb
  /** Called for each answered request. */
  onAnswered?: (answered: Answered) => void
  /** The windows of the request limits. Default: in the database. */
  windows?: Windows | undefined
  /** Proxies whose X-Forwarded-For is trusted: addresses or networks. Default: none. */
  trustedProxies?: readonly string[]
  /** How long a JSON body may take to arrive; uploads have the server's own limit. Default: 15 seconds. */
  bodyTimeoutMs?: number
  /** How long the receiver of a stream may read nothing while data waits for it. Default: 10 seconds. */
  streamTimeoutMs?: number
}

/** An answered request, without anything that its caller wrote. */
export interface Answered {
  method: string
  /** The template of its route's path, or `none` for a path without one. */
  route: string
  status: number
  durationMs: number
}

/** What HTTP needs from the layers above the platform; app.ts provides it. */
export interface ApplicationServices extends Services {
  authenticate: Authenticate
  /**
   * Locks a human's account against erasure until the transaction ends. Throws 401 if the account is gone.
   */
  lockAccount: (tx: Tx, humanId: string) => Promise<void>
  versions: VersionAdapters
  /** Returns the callers, among some, who could no longer make the call that they made. */
  findEnded: (db: Db, settings: Settings, actors: readonly Actor[]) => Promise<ReadonlySet<Actor>>
  /**
   * Returns the orgs that each account is in and the private spaces that it sees, in a fixed order: callers
   * may read their events. Accounts that are in no org are left out.
   */
  findPlaces: (
    db: Db,
    actors: readonly Pick<Actor, 'humanId' | 'agentId'>[],
  ) => Promise<ReadonlyMap<string, readonly string[]>>
}

/** Returns the caller, or undefined on a public route. Throws 401, 403 and 429. */
export type Authenticate = (
  services: Services,
  route: RouteDefinition,
  context: RequestContext,
) => Promise<Actor | undefined>

/** Translates requests and answers between older versions and the current one. */
export interface VersionAdapters {
  /** Returns a request body in the current version's shape. */
  upgradeRequest: (version: MarketVersion, operationId: string, body: unknown) => unknown
  /** Returns an answer's body in the shape of the requested version. */
  downgradeResponse: (version: MarketVersion, operationId: string, answer: { status: number; body: unknown }) => unknown
  /** Returns the headers of an answer that state its version, and the end of support of that version. */
  versionHeaders: (version: MarketVersion) => Record<string, string>
  /** Returns the type of a problem in the requested version. */
  problemType: (version: MarketVersion, problem: string, baseUrl: string) => string
  /** Returns the types of a problem in older versions. */
  olderProblemTypes: (problem: string, baseUrl: string) => string[]
  /**
   * Returns the schemas of an operation's answers in older versions, where they differ from the current one.
   */
  olderAnswers: (operationId: string, status: number) => z.ZodType[]
}

/** State of a request that later steps and the log use. */
export interface RequestState {
  requestId: string
  /** The version that the request names, if it exists. */
  version?: MarketVersion | undefined
  operationId?: string
  /** The template of the path that a handler was found for. */
  routePath?: string
  /** The request is for a path of the workspace. */
  isWorkspace?: boolean
  problem?: string
  /** Returns the subject that requests from this address are counted under. */
  addressSubject: () => string
  bodyTimeoutMs: number
  /** The quota that the request counts against. */
  rateLimit?: RateLimitStatus
  /** The secret of the token or session that the request presents. */
  credentialSecret?: string
  /** The idempotent call of the request's Idempotency-Key. */
  idempotentCall?: IdempotentCall | undefined
}

export type RequestContext = Context<{ Variables: RequestState }>
