import { type FollowOptions, followEvents, type MarketEvent } from './events.ts'
import { OPERATIONS, VERSION } from './generated/operations.ts'
import type { operations } from './generated/schema.ts'
import { ApiProblem } from './problem.ts'
import { type OnWait, retryAfterOf, sendWithRetries } from './retry.ts'

/** The name of an operation: its `operationId` in /openapi.json. */
export type OperationName = keyof typeof OPERATIONS & keyof operations

type Operation<Name extends OperationName> = operations[Name]

/**
 * Bytes, a file of a browser, or a stream. A stream is sent while it is produced, and therefore only once.
 */
export type UploadBody = Uint8Array<ArrayBuffer> | Blob | FormData | ReadableStream<Uint8Array>

/** An optional member may also be undefined: then it is not sent. */
type Omissible<Value> = {
  [Key in keyof Value]: Record<never, never> extends Pick<Value, Key> ? Value[Key] | undefined : Value[Key]
}

/** A member that is required only if something in it is required. */
type Member<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : Record<never, never> extends Value
    ? { [Key in Name]?: Omissible<NonNullable<Value>> }
    : { [Key in Name]: Omissible<Value> }

/** A member of a type that may not have it. */
type PartOf<Whole, Key extends string> = Key extends keyof Whole ? Whole[Key] : undefined

type ParameterOf<Name extends OperationName, Place extends string> = PartOf<
  PartOf<Operation<Name>, 'parameters'>,
  Place
>

type RequestBody<Name extends OperationName> = PartOf<Operation<Name>, 'requestBody'>

type BodyOf<Name extends OperationName> = [NonNullable<RequestBody<Name>>] extends [never]
  ? unknown
  : NonNullable<RequestBody<Name>> extends { content: { 'application/json': infer Body } }
    ? undefined extends RequestBody<Name>
      ? { body?: Omissible<Body> }
      : { body: Omissible<Body> }
    : { upload: UploadBody }

/** The input of a call: the operation's path parameters, query and body, and the options of the call. */
export type CallInput<Name extends OperationName> = Member<'params', ParameterOf<Name, 'path'>> &
  Member<'query', ParameterOf<Name, 'query'>> &
  BodyOf<Name> &
  CallOptions

/** The options of a call. */
export interface CallOptions {
  /**
   * The same write with the same key has one effect. A write without a key gets one, and its retries use the
   * same.
   */
  idempotencyKey?: string
  /** URN of the owned agent to act as, instead of the market's own. */
  agent?: string
  headers?: Record<string, string>
  signal?: AbortSignal
}

type Content<Answer> = Answer extends { content: { 'application/json': infer Body } } ? Body : undefined

/** An answer: one of the operation's statuses, with that status's body. */
export type CallAnswer<Name extends OperationName> = {
  [Status in keyof Operation<Name>['responses'] & number]: {
    status: Status
    body: Content<Operation<Name>['responses'][Status]>
    /** For its headers, and for its bytes if the answer is not JSON. */
    response: Response
  }
}[keyof Operation<Name>['responses'] & number]

type ItemOf<Body> = {
  [Key in keyof Body]: NonNullable<Body[Key]> extends readonly (infer Item)[] ? Item : never
}[keyof Body]

/** An item of a list's pages. */
export type PageItem<Name extends OperationName> = ItemOf<Extract<CallAnswer<Name>, { status: 200 }>['body']>

/** The service's URL, and the caller's account. */
export interface MarketOptions {
  baseUrl: string
  /** Not needed in a browser with a session. */
  token?: string
  /** URN of the owned agent to act as, with a token of a human. */
  agent?: string
  fetch?: typeof fetch
  /** Called whenever a call waits before it is sent again, so that a person can be told. */
  onWait?: OnWait
}

/** Calls the market's operations as one account. */
export interface Market {
  /**
   * Calls an operation. Retries a network error, a 429, a 503 and other 5xx within a minute; a write still
   * has only one effect. Throws an ApiProblem for a problem. Its `type` is a ProblemType.
   */
  call<const Name extends OperationName>(name: Name, input: CallInput<Name>): Promise<CallAnswer<Name>>
  /** Iterates over all items of a list, page by page. */
  pages<const Name extends OperationName>(name: Name, input: CallInput<Name>): AsyncGenerator<PageItem<Name>>
  /** Follows the account's events, each at least once and in order, by default from `latest`. */
  events(options?: Pick<FollowOptions, 'subjects' | 'from' | 'signal'>): AsyncGenerator<MarketEvent>
}

/** The input of any operation, for code that is generic over them. */
interface AnyInput extends CallOptions {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  upload?: UploadBody
}

/** Returns a client of one account: every operation of the API, typed by the definitions of its routes. */
export function createMarket(options: MarketOptions): Market {
  const { baseUrl, token, agent, fetch: send = fetch, onWait } = options
  const call = async (name: OperationName, input: AnyInput) => {
    const [method = '', path = ''] = OPERATIONS[name].split(' ')
    const response = await sendWithRetries(send, urlOf(baseUrl, path, input), requestOf(method, options, input), onWait)
    return { status: response.status, body: await readBody(response), response }
  }
  return {
    call: call as unknown as Market['call'],
    pages: ((name: OperationName, input: AnyInput) => walk(call, name, input)) as unknown as Market['pages'],
    events: (following) =>
      followEvents({ baseUrl, fetch: send, ...(token ? { token } : {}), ...(agent ? { agent } : {}), ...following }),
  }
}

async function* walk(
  call: (name: OperationName, input: AnyInput) => Promise<{ body: unknown }>,
  name: OperationName,
  input: AnyInput,
): AsyncGenerator<unknown> {
  let cursor: string | null | undefined
  do {
    const query = { ...input.query, ...(cursor ? { cursor } : {}) }
    const body = (await call(name, { ...input, query })).body as Record<string, unknown>
    const items = Object.values(body).find(Array.isArray)
    if (!items) throw new TypeError(`${name} answers with no list`)
    yield* items
    cursor = body.next_cursor as string | null | undefined
  } while (cursor)
}

function requestOf(method: string, { token, agent }: MarketOptions, input: AnyInput): RequestInit {
  const actor = input.agent ?? agent
  const { body, upload } = input
  return {
    method,
    headers: {
      'market-version': VERSION,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(actor ? { 'market-agent': actor } : {}),
      ...(method === 'GET' ? {} : { 'idempotency-key': input.idempotencyKey ?? crypto.randomUUID() }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...input.headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    // A stream is sent while it is produced: fetch requires `duplex` for that.
    ...(upload === undefined ? {} : { body: upload, duplex: 'half' }),
    ...(input.signal ? { signal: input.signal } : {}),
  }
}

function urlOf(baseUrl: string, path: string, { params = {}, query = {} }: AnyInput): URL {
  const url = new URL(
    path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(params[name] ?? ''))),
    baseUrl,
  )
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined) url.searchParams.append(name, String(each))
    }
  }
  return url
}

/**
 * Returns the answer's JSON, or undefined for other content, which stays unread. Throws an ApiProblem for a
 * problem.
 */
async function readBody(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  const isJson = /^application\/(problem\+)?json\b/.test(type)
  const retryAfter = retryAfterOf(response)
  if (!isJson && !response.ok) throw new ApiProblem(response.status, { detail: 'the answer is not JSON' }, retryAfter)
  if (!isJson) return undefined
  const text = await response.text()
  const answer = text === '' ? undefined : JSON.parse(text)
  if (type.startsWith('application/problem')) throw new ApiProblem(response.status, answer ?? {}, retryAfter)
  return answer
}
