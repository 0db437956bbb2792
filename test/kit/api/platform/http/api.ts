import { randomBytes, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Logger, pino } from 'pino'
import { createApp } from '../../../../../api/app.ts'
import { rulesFor } from '../../../../../api/config/rules.ts'
import { webSettings } from '../../../../../api/config/web.ts'
import type { ChainSettings, MarketRules, Settings } from '../../../../../api/context.ts'
import { bootstrap, type FirstAccounts } from '../../../../../api/identity/setup/bootstrap.ts'
import { eventTypes, noticeKinds } from '../../../../../api/modules.ts'
import { openRpc } from '../../../../../api/payments/chain/nodes.ts'
import { type Db, type IndexDb, openPool } from '../../../../../api/platform/db/pool.ts'
import { listen } from '../../../../../api/platform/http/listen/listen.ts'
import type { ServedRoute } from '../../../../../api/platform/http/serve/serve.ts'
import type { Services } from '../../../../../api/platform/http/serve/services.ts'
import { reactions } from '../../../../../api/reactions.ts'
import { Faucet } from '../../../../../api/sandbox/faucet.ts'
import { sandboxHandlers } from '../../../../../api/sandbox/handlers.ts'
import { installSandboxClock } from '../../../../../api/sandbox/install.ts'
import { openDevelopmentNode } from '../../../../../api/sandbox/node.ts'
import { chainSettings } from '../../../../../cli/stack/services.ts'
import type { TestChain } from '../../../chain/node.ts'
import { startDatabase } from '../../../stack/database.ts'
import { knowChain } from '../../../stack/fence.ts'
import { eventFaults } from '../events/faults.ts'
import { installTwins } from '../twins.ts'
import { hold } from './contract/hold.ts'

// No node listens there: a request that needs the chain fails.
const NO_NODE = 'http://127.0.0.1:9'
const BASE_URL = 'http://localhost'
const CURRENT_VERSION = '2026-05-17'
const silent = pino({ level: 'silent' })

const NO_CHAIN: ChainSettings = {
  chainId: 31337,
  escrow: '0x1111111111111111111111111111111111111111',
  token: '0x2222222222222222222222222222222222222222',
  hotWallet: '0x3333333333333333333333333333333333333333',
  feeRecipient: '0x4444444444444444444444444444444444444444',
  startBlock: 0n,
  confirmations: 2,
  walletFactories: [],
}

export interface ApiOptions {
  /** Default true: rules and minting as in a sandbox. */
  sandbox?: boolean
  /** A chain to ask; with it come the sandbox's clock and faucet. Without one, what needs the chain fails. */
  chain?: TestChain
  /** The index of that chain; none by default. */
  index?: IndexDb
  /** Handlers of the test's own. */
  handlers?: readonly ServedRoute[]
  /** Numbers of the market that differ from the usual. */
  rules?: Partial<MarketRules>
  /** Where log lines go; nowhere by default. */
  log?: { write: (line: string) => void }
}

/** A request: the current version's header and JSON are taken as given, and can be replaced. */
export interface Request {
  token?: string
  body?: unknown
  /** Replaces the body: sent as it is. */
  raw?: string | Buffer | ReadableStream<Uint8Array>
  headers?: Record<string, string | undefined>
  /** Whether the answer is what a redirect leads to. Default: follow. */
  redirect?: 'follow' | 'manual'
}

/** What answers may hold, as far as tests go on with it. What an answer does hold, they assert. */
export interface ReplyBody {
  readonly [member: string]: unknown
  readonly urn: { prefix: string; body: string }
  readonly secret: string
  readonly challenge: string
  readonly expires_at: string
}

/** An answer, its body parsed. */
export interface Reply {
  status: number
  headers: Headers
  body: ReplyBody
}

/** The API of a test, served on a port of its own over a database of its own. */
export interface Api {
  baseUrl: string
  databaseUrl: string
  /** As the owner: for a test's own pokes. */
  db: Db
  /** As the role of the API. */
  serviceDb: Db
  /** As the role of the worker. */
  workerDb: Db
  settings: Settings
  first: FirstAccounts
  /** The operations that have succeeded, by id. */
  taken: ReadonlySet<string>
  send: (method: string, path: string, request?: Request) => Promise<Reply>
  /** Throws an Error if an answer differed from the OpenAPI document, or an event from the catalogue. */
  stop: () => Promise<void>
}

/** Serves the API in this process: real HTTP, real Postgres. */
export async function startApi(options: ApiOptions = {}): Promise<Api> {
  const database = await startDatabase()
  const db = openPool(database.url, { max: 10, onError: () => {} })
  const serviceDb = openPool(database.roleUrls.api, { max: 10, onError: () => {} })
  const workerDb = openPool(database.roleUrls.worker, { max: 4, onError: () => {} })
  await Promise.all([knowChain(db), installTwins(db)])
  const sandbox = options.sandbox ?? true
  const settings: Settings = {
    baseUrl: BASE_URL,
    filesUrl: BASE_URL,
    sandbox,
    web: webSettings(BASE_URL),
    chain: options.chain ? chainSettings(options.chain) : NO_CHAIN,
    rules: { ...rulesFor(sandbox), ...options.rules },
    webhooks: { allowsLocal: sandbox },
    signingKey: randomBytes(32).toString('hex'),
    secretKey: randomBytes(32).toString('hex'),
    blobDirectory: join(tmpdir(), `market-blobs-${randomUUID()}`),
    reactions,
    eventTypes,
    noticeKinds,
  }
  const log = options.log ? pino({}, options.log) : silent
  const services = {
    ...{ db: serviceDb, rpc: openRpc(options.chain?.rpcUrl ?? NO_NODE), settings, log },
    ...(options.index ? { index: options.index } : {}),
  }
  if (options.chain) await installSandboxClock(database.url)
  const handlers = [...(options.handlers ?? []), ...(options.chain ? sandboxOf(options.chain, services) : [])]
  const { stop, ...served } = await serveApi(services, handlers)
  return {
    ...served,
    databaseUrl: database.url,
    db,
    serviceDb,
    workerDb,
    settings,
    first: await bootstrap(database.url, settings),
    stop: async () => {
      try {
        await stop()
        expect(await eventFaults(db), 'events that differ from the catalogue').to.deep.equal([])
      } finally {
        await Promise.all([db.destroy(), serviceDb.destroy(), workerDb.destroy()])
        await database.stop()
        await rm(settings.blobDirectory, { recursive: true, force: true })
      }
    },
  }
}

/**
 * Serves the API on a free port, over what the test has opened. Every answer is compared with the OpenAPI
 * document; `stop` throws an Error if one differed.
 */
export async function serveApi(
  services: Omit<Services, 'log'> & { log?: Logger },
  handlers: readonly ServedRoute[] = [],
) {
  const app = createApp({ log: silent, ...services }, handlers)
  const isSandbox = handlers.some(({ route }) => route.path.startsWith('/sandbox/'))
  const held = hold(app, BASE_URL, isSandbox)
  const server = await listen(held.app, { host: '127.0.0.1', port: 0, rules: services.settings.rules })
  const baseUrl = `http://127.0.0.1:${server.port}`
  return {
    baseUrl,
    taken: held.taken,
    send: (method: string, path: string, request?: Request) => send(baseUrl, method, path, request),
    stop: async () => {
      await server.stop()
      expect(held.faults, 'answers that differ from /openapi.json').to.deep.equal([])
    },
  }
}

function sandboxOf({ rpcUrl, token, accounts }: TestChain, { rpc }: Services): ServedRoute[] {
  const faucet = new Faucet({ rpcUrl, token, minterKey: accounts.minter.privateKey }, rpc)
  return sandboxHandlers(openDevelopmentNode(rpcUrl), faucet)
}

async function send(baseUrl: string, method: string, path: string, request: Request = {}): Promise<Reply> {
  const given: Record<string, string | undefined> = {
    'market-version': CURRENT_VERSION,
    // GET /v1/events would answer others with a stream.
    accept: 'application/json',
    ...(request.token ? { authorization: `Bearer ${request.token}` } : {}),
    ...(request.body !== undefined || request.raw !== undefined ? { 'content-type': 'application/json' } : {}),
    ...request.headers,
  }
  const headers = Object.entries(given).filter((header): header is [string, string] => header[1] !== undefined)
  const body = request.raw ?? (request.body === undefined ? undefined : JSON.stringify(request.body))
  const response = await fetch(baseUrl + path, {
    method,
    headers,
    redirect: request.redirect ?? 'follow',
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  })
  const text = await response.text()
  const isText = /^(?:text\/|application\/zip)/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : isText ? text : JSON.parse(text),
  }
}

/** The type of a problem in the version of an answer. */
function typeOf(name: string, headers: Headers): string {
  return headers.get('market-version') === '2026-05-05' ? `${BASE_URL}/problems/${name}` : `market:error:${name}`
}

/** Asserts a problem: its status, its stable type, its field, and that it has everything a problem has. */
export function expectProblem(reply: Reply, status: number, name: string, field?: string): void {
  const { body, headers } = reply
  expect({ status: reply.status, type: body.type, field: body.field }).to.deep.equal({
    status,
    type: typeOf(name, headers),
    field,
  })
  expect(headers.get('content-type')).to.equal('application/problem+json')
  expect(body.status).to.equal(status)
  expect(body.title).to.be.a('string').that.is.not.empty
  expect(body.detail).to.be.a('string').that.is.not.empty
  expect(body.instance).to.equal(`market:request:${headers.get('x-request-id')}`)
}
