import type { z } from 'zod'
import type { RouteDefinition } from '../api/platform/http/route.ts'
import { CURRENT_VERSION, type MarketVersion } from '../api/platform/http/versions.ts'
import { type CallAnswer as AnswerOf, createMarket, type CallInput as InputOf, type OperationName } from './market.ts'
import { ApiProblem } from './problem.ts'

/** The service's URL, the caller's token, and the dated version (spec 9). */
export interface ClientOptions {
  baseUrl: string
  token?: string
  version?: MarketVersion
  fetch?: typeof fetch
}

type PartOf<Route extends RouteDefinition, Part extends 'params' | 'query' | 'body'> = Route[Part] extends z.ZodType
  ? { [Name in Part]: z.input<Route[Part]> }
  : unknown

/**
 * The input of a call: the route's own parameters, query and body, and any further headers. A write with an
 * `idempotencyKey` can be repeated when its answer was lost: it has one effect and the same answer.
 */
export type CallInput<Route extends RouteDefinition> = PartOf<Route, 'params'> &
  PartOf<Route, 'query'> &
  PartOf<Route, 'body'> &
  (Route['upload'] extends true ? { upload: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> } : unknown) & {
    idempotencyKey?: string
    headers?: Record<string, string>
  }

/** An answer of the route: one of its statuses with that status's body. */
export type CallAnswer<Route extends RouteDefinition> = {
  [Status in keyof Route['answers'] & number]: {
    status: Status
    headers: Headers
    body: Route['answers'][Status]['schema'] extends z.ZodType
      ? z.output<Route['answers'][Status]['schema']>
      : undefined
  }
}[keyof Route['answers'] & number]

/** The input of any route, for code that is generic over routes. */
interface AnyInput {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  upload?: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
  idempotencyKey?: string
  headers?: Record<string, string>
}

/** Calls routes with one account's token. */
export interface Client {
  /** Throws an ApiProblem for an answer the route does not list. */
  call<const Route extends RouteDefinition>(route: Route, input: CallInput<Route>): Promise<CallAnswer<Route>>
  /** As a Market. */
  call<const Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<AnswerOf<Name>>
}

/**
 * Returns a client for one account. The route definitions are the server's own, so requests and answers are typed by
 * them.
 */
export function createClient(options: ClientOptions): Client {
  const send = options.fetch ?? fetch
  const market = createMarket(options)
  return {
    async call(route: RouteDefinition | OperationName, input: AnyInput) {
      if (typeof route === 'string') return market.call(route, input as never)
      const { params, query, body, upload, idempotencyKey, headers } = input
      const repeatable = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
      const response = await send(urlOf(options.baseUrl, route.path, params, query), {
        method: route.method.toUpperCase(),
        headers: { ...standardHeaders(options, body !== undefined), ...repeatable, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        // A stream is sent while it is produced: fetch requires `duplex` for that.
        ...(upload === undefined ? {} : { body: upload, duplex: 'half' }),
      })
      const answer = await readJson(response)
      if (!(response.status in route.answers)) throw new ApiProblem(response.status, answer ?? {})
      return { status: response.status, headers: response.headers, body: answer }
    },
  } as Client
}

/**
 * Returns the answer's JSON; undefined without one. Throws an ApiProblem for what our API never sends, such as a
 * proxy's page.
 */
async function readJson(response: Response) {
  const text = await response.text()
  if (text === '') return undefined
  if (!/^application\/(problem\+)?json\b/.test(response.headers.get('content-type') ?? '')) {
    throw new ApiProblem(response.status, { detail: 'the answer is not JSON' })
  }
  return JSON.parse(text)
}

function standardHeaders(options: ClientOptions, hasBody: boolean): Record<string, string> {
  return {
    'market-version': options.version ?? CURRENT_VERSION,
    ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
  }
}

function urlOf(baseUrl: string, path: string, params: Record<string, string> = {}, query: Record<string, string> = {}) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''))
  const url = new URL(filled, baseUrl)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value))
  return url
}
