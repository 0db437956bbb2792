import { lookup as resolveHost } from 'node:dns'
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent'
import type { Settings } from '../../context.ts'
import { readExcerpt } from './internal/excerpt.ts'
import { hostOf, isAllowedAddress, isAllowedHost } from './target.ts'

const MAX_HEADERS = 30
const MAX_NAME_CHARACTERS = 100
const MAX_VALUE_CHARACTERS = 500
// More than Node's 16 KiB: proxies and consent managers send more headers, and their answers count.
const MAX_HEADER_BYTES = 65_536
const SECONDS = /^[0-9]{1,9}$/
// The loopback addresses that the agents allow; they refuse every other address that is not public.
const LOOPBACK = ['127.0.0.1', '::1']

/** Why there was no answer. */
export type Failure = 'timeout' | 'address_refused' | 'dns_failure' | 'tls_failure' | 'connection_failed'

/** The result of a request: the receiver's answer with the beginning of its body, or why there was none. */
export type Reply = Answer | { failure: Failure }

interface Answer {
  status: number
  excerpt: string
  /** The answer's headers, as many as are kept, without its cookies. */
  headers: Record<string, string>
  /**
   * The seconds that the receiver asks to wait before the next attempt, if it says so (RFC 9110,
   * Retry-After).
   */
  retryAfterSeconds?: number
}

/** A request, sent unchanged. */
export interface PostRequest {
  url: string
  headers: Record<string, string>
  body: string | Buffer
}

/** Resolves a name to its addresses, as `dns.lookup` does. */
export type Resolve = typeof resolveHost

class AddressRefused extends Error {}

/**
 * Posts requests to addresses that strangers chose. Every address is checked when connecting, even if the
 * name resolved to another one before. No redirect is followed and no connection reused.
 */
export class Poster {
  readonly #settings: Pick<Settings, 'webhooks'>
  readonly #lookup: LookupFunction
  readonly #agents: { http: http.Agent; https: https.Agent }

  constructor(settings: Pick<Settings, 'webhooks'>, resolve: Resolve = resolveHost) {
    this.#settings = settings
    this.#lookup = allowedOnly(settings, resolve)
    const options = { keepAlive: false, allowIPAddressList: settings.webhooks.allowsLocal ? LOOPBACK : [] }
    this.#agents = { http: new RequestFilteringHttpAgent(options), https: new RequestFilteringHttpsAgent(options) }
  }

  /**
   * Posts a request. Returns the answer, or why there was none before `deadline` aborted. An answer counts
   * once its headers have arrived; the beginning of its body is read.
   */
  async post({ url: text, headers, body }: PostRequest, deadline: AbortSignal): Promise<Reply> {
    const url = new URL(text)
    if (!isAllowedHost(this.#settings, hostOf(url))) return { failure: 'address_refused' }
    const isEncrypted = url.protocol === 'https:'
    const options = {
      method: 'POST',
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      lookup: this.#lookup,
      agent: isEncrypted ? this.#agents.https : this.#agents.http,
      maxHeaderSize: MAX_HEADER_BYTES,
      signal: deadline,
    }
    try {
      const request = isEncrypted ? https.request(url, options) : http.request(url, options)
      // Errors after the answer concern only its body.
      request.on('error', () => {})
      request.end(body)
      const [response]: IncomingMessage[] = await once(request, 'response')
      if (!response?.statusCode) return { failure: 'connection_failed' }
      const answer = {
        status: response.statusCode,
        excerpt: await readExcerpt(response),
        headers: keptHeaders(response),
      }
      const retryAfterSeconds = secondsOf(response.headers['retry-after'])
      return retryAfterSeconds === undefined ? answer : { ...answer, retryAfterSeconds }
    } catch (error) {
      return { failure: failureOf(error) }
    }
  }
}

/** Reads a Retry-After: seconds, or a date. Undefined for any other value, and for a time in the past. */
function secondsOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const seconds = SECONDS.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1_000)
  return seconds > 0 ? seconds : undefined
}

// Cookies are secrets of the receiver's.
function keptHeaders({ headers }: IncomingMessage): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => name !== 'set-cookie')
  return Object.fromEntries(
    kept
      .slice(0, MAX_HEADERS)
      .map(([name, value]) => [name.slice(0, MAX_NAME_CHARACTERS), String(value).slice(0, MAX_VALUE_CHARACTERS)]),
  )
}

function allowedOnly(settings: Pick<Settings, 'webhooks'>, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = error ? [] : addresses
      if (error || !first) callback(error ?? new AddressRefused(), '')
      else if (!addresses.every(({ address }) => isAllowedAddress(settings, address)))
        callback(new AddressRefused(), '')
      else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return 'connection_failed'
  // The agents throw plain errors.
  if (error instanceof AddressRefused || / is not allowed\. Because/.test(error.message)) return 'address_refused'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'timeout'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'dns_failure'
  if (/^(ERR_TLS|ERR_SSL|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code)) return 'tls_failure'
  return 'connection_failed'
}
