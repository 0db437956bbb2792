import { expect } from 'chai'
import { sql } from 'kysely'
import type { Api, Reply, Request } from '../../platform/http/api.ts'
import { type Authenticator, newAuthenticator } from './authenticator.ts'

/** Options for a ceremony, as far as an authenticator goes by them. */
export interface CeremonyOptions {
  challenge: string
  user: { id: string }
}

/** A browser on a page of the service: it keeps the session's cookie, and says which page it is on. */
export interface Browser {
  send: (method: string, path: string, request?: Request) => Promise<Reply>
  /** The cookie it holds, as it sends it. */
  cookie: () => string | undefined
  setCookie: (cookie: string | undefined) => void
  options: (ceremony: string, body?: object) => Promise<CeremonyOptions>
  verify: (ceremony: string, credential: object) => Promise<Reply>
}

const PATH = '/v1/me/passkeys'

/** A browser that holds no cookie yet. */
export function newBrowser(api: Api): Browser {
  let cookie: string | undefined
  const send = async (method: string, path: string, request: Request = {}): Promise<Reply> => {
    const headers = { origin: api.settings.web.origins[0], ...(cookie ? { cookie } : {}), ...request.headers }
    const reply = await api.send(method, path, { ...request, headers })
    const set = reply.headers.get('set-cookie')
    if (set) cookie = set.includes('Max-Age=0') ? undefined : set.slice(0, set.indexOf(';'))
    return reply
  }
  return {
    send,
    cookie: () => cookie,
    setCookie: (other) => {
      cookie = other
    },
    options: async (ceremony, body) => {
      const reply = await send('POST', `${PATH}/${ceremony}/options`, body ? { body } : {})
      expect(reply.status, JSON.stringify(reply.body)).to.equal(200)
      return reply.body as unknown as CeremonyOptions
    },
    verify: (ceremony, credential) => send('POST', `${PATH}/${ceremony}/verify`, { body: { credential } }),
  }
}

/** A human who has signed up with a passkey, and is signed in. */
export interface SignedUp {
  browser: Browser
  passkey: Authenticator
  id: string
  urn: string
}

/** Signs somebody up, in a browser of their own. */
export async function signUp(api: Api, passkey = authenticatorFor(api)): Promise<SignedUp> {
  const browser = newBrowser(api)
  const options = await browser.options('sign_up', { display_name: 'Ada', email: 'ada@example.com' })
  const reply = await browser.verify('sign_up', passkey.create(options))
  expect(reply.status, JSON.stringify(reply.body)).to.equal(201)
  const human = reply.body.human_urn as { body: string }
  return { browser, passkey, id: human.body, urn: `market:human:${human.body}` }
}

/** Signs in with a passkey. */
export async function signIn(browser: Browser, passkey: Authenticator): Promise<Reply> {
  return browser.verify('assertion', passkey.get(await browser.options('assertion')))
}

/** An authenticator whose browser is on our page. */
export function authenticatorFor(api: Api, options: { counts?: boolean } = {}): Authenticator {
  const { rpId, origins } = api.settings.web
  return newAuthenticator({ rpId, origin: origins[0] ?? '' }, options)
}

/** Lets sessions grow older by so much. */
export async function grow(api: Api, by: string): Promise<void> {
  await sql`update market.sessions set created_at = created_at - ${by}::interval`.execute(api.db)
}
