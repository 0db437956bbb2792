import { hash } from 'node:crypto'
import type { WebSettings } from '../../context.ts'
import type { RequestContext } from '../../platform/http/serve/services.ts'
import { bearerSubprotocol } from '../../platform/http/streams/stream.ts'

const BEARER = /^Bearer +(market_pat_[A-Za-z0-9_-]{43})$/i
const TOKEN = /^market_pat_[A-Za-z0-9_-]{43}$/
const SESSION_SECRET = /^[A-Za-z0-9_-]{43}$/

/** The credential a request presents. A session cookie counts only if no token is presented. */
export type Presented = { kind: 'token'; secret: string } | { kind: 'session'; secret: string }

/** Returns the SHA-256 of a secret. Only this hash is stored, and credentials are looked up by it. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/**
 * Returns the credential of a request if it has the form of a token or of a session. A WebSocket handshake
 * may present its token as a subprotocol.
 */
export function presentedBy(web: WebSettings, context: RequestContext, isSocket: boolean): Presented | undefined {
  const offered = isSocket ? bearerSubprotocol(context.req.header('Sec-WebSocket-Protocol')) : undefined
  if (offered !== undefined) return TOKEN.test(offered) ? { kind: 'token', secret: offered } : undefined
  const authorization = context.req.header('Authorization')
  if (authorization !== undefined) {
    const secret = BEARER.exec(authorization)?.[1]
    return secret === undefined ? undefined : { kind: 'token', secret }
  }
  const secret = sessionSecretIn(web, context.req.header('Cookie'))
  return secret === undefined ? undefined : { kind: 'session', secret }
}

/**
 * Returns the session's secret from a Cookie header (RFC 6265). Returns undefined if its name occurs twice:
 * another page has then set one of them, and the two cannot be told apart.
 */
export function sessionSecretIn(web: WebSettings, header: string | undefined): string | undefined {
  const start = `${web.sessionCookie}=`
  const found = (header ?? '').split(';').map((pair) => pair.trim())
  const [secret, ...more] = found.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length))
  return secret !== undefined && more.length === 0 && SESSION_SECRET.test(secret) ? secret : undefined
}

/**
 * Returns the Set-Cookie header that begins a session of so many seconds, or without one, the header that
 * ends it.
 */
export function sessionCookie(web: WebSettings, session?: { secret: string; seconds: number }): string {
  const { secret, seconds } = session ?? { secret: '', seconds: 0 }
  const secure = web.isSecure ? '; Secure' : ''
  return `${web.sessionCookie}=${secret}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}
