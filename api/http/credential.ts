import { hash } from 'node:crypto'
import type { WebSettings } from '../context.ts'
import type { RequestContext } from './serve.ts'

const BEARER = /^Bearer +(market_pat_[A-Za-z0-9_-]{43})$/i
const SESSION_SECRET = /^[A-Za-z0-9_-]{43}$/

/** What a request presents to say who calls. A session's cookie counts only where no token is presented. */
export type Presented = { kind: 'token'; secret: string } | { kind: 'session'; secret: string }

/** SHA-256 of a secret: all that is kept of one, and what it is looked up by. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** What the request presents, if it has the form of a token or of a session. */
export function presentedBy(web: WebSettings, context: RequestContext): Presented | undefined {
  const authorization = context.req.header('Authorization')
  if (authorization !== undefined) {
    const secret = BEARER.exec(authorization)?.[1]
    return secret === undefined ? undefined : { kind: 'token', secret }
  }
  const secret = sessionSecretIn(web, context.req.header('Cookie'))
  return secret === undefined ? undefined : { kind: 'session', secret }
}

/**
 * The session's secret in a Cookie header (RFC 6265). Undefined where its name is there twice: one of them was put there
 * by somebody else's page, and nobody can tell which.
 */
export function sessionSecretIn(web: WebSettings, header: string | undefined): string | undefined {
  const start = `${cookieName(web)}=`
  const found = (header ?? '').split(';').map((pair) => pair.trim())
  const [secret, ...more] = found.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length))
  return secret !== undefined && more.length === 0 && SESSION_SECRET.test(secret) ? secret : undefined
}

/** The Set-Cookie header that begins a session of so many seconds; with none, the one that ends it. */
export function sessionCookie(web: WebSettings, session?: { secret: string; seconds: number }): string {
  const { secret, seconds } = session ?? { secret: '', seconds: 0 }
  const secure = web.isSecure ? '; Secure' : ''
  return `${cookieName(web)}=${secret}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}

// Browsers take a __Host- cookie from this very host alone, encrypted: no other page of the domain can plant one.
function cookieName({ isSecure }: WebSettings): string {
  return isSecure ? '__Host-market_session' : 'market_session'
}
