import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { toBase64url } from '../../protocol/encoding/bytes.ts'

const KEYS = { p256dh: 'point', auth: 'secret' }
const PUBLIC_KEY = toBase64url(Uint8Array.of(4, 5, 6))

/** What a page or a worker has sent: the path, and the body if it has one. */
interface Sent {
  path: string
  body: unknown
}

/** A browser with a push subscription for a key, which its page has registered earlier. */
function newBrowser(used: Uint8Array) {
  const asked: unknown[] = []
  const sent: Sent[] = []
  let ended = 0
  const subscription = (endpoint: string) => ({
    options: { applicationServerKey: used.buffer },
    unsubscribe: async () => ++ended > 0,
    toJSON: () => ({ endpoint, keys: KEYS }),
  })
  const pushManager = {
    getSubscription: async () => subscription('https://push.example.com/old'),
    subscribe: async (options: unknown) => {
      asked.push(options)
      return subscription('https://push.example.com/new')
    },
  }
  const answer = async (url: string | URL, { body }: { body?: string } = {}) => {
    sent.push({ path: new URL(url, 'https://market.example').pathname, body: body && JSON.parse(body) })
    return Response.json({ notifications: { push_public_key: PUBLIC_KEY } }, { status: body ? 201 : 200 })
  }
  return { pushManager, answer, asked, sent, ended: () => ended }
}

describe('push notifications in a browser', () => {
  it('go on after the browser or its push service has ended the subscription', async () => {
    const { pushManager, answer, asked, sent } = newBrowser(Uint8Array.of(1))
    const listeners = new Map<string, (event: object) => void>()
    runInNewContext(await readFile(new URL('../../console/public/push.js', import.meta.url), 'utf8'), {
      addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
      registration: { pushManager },
      fetch: answer,
    })
    let done: Promise<void> | undefined
    listeners.get('pushsubscriptionchange')?.({ waitUntil: (work: Promise<void>) => (done = work) })
    await done
    expect(JSON.parse(JSON.stringify(asked))).to.deep.equal([
      { userVisibleOnly: true, applicationServerKey: PUBLIC_KEY },
    ])
    expect(sent.at(-1)).to.deep.equal({
      path: '/v1/me/push-subscriptions',
      body: { endpoint: 'https://push.example.com/new', keys: KEYS },
    })
  })

  it('are subscribed to again where the key of the service has changed, and only there', async (context) => {
    const changed = newBrowser(Uint8Array.of(1, 2, 3))
    const same = newBrowser(Uint8Array.of(4, 5, 6))
    const had = Object.getOwnPropertyDescriptors(globalThis)
    context.after(() => Object.defineProperties(globalThis, { navigator: had.navigator, fetch: had.fetch }))
    const be = ({ pushManager, answer }: ReturnType<typeof newBrowser>) => {
      const serviceWorker = { getRegistration: async () => ({ pushManager }), register: async () => ({ pushManager }) }
      const Notification = { permission: 'granted', requestPermission: async () => 'granted' }
      for (const [name, value] of Object.entries({
        ...{ Notification, PushManager: class {}, location: { origin: 'https://market.example' }, fetch: answer },
        navigator: { serviceWorker, userAgent: 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko Firefox/140.0' },
      }))
        Object.defineProperty(globalThis, name, { value, configurable: true })
    }
    be(changed)
    // Its types are those of a browser.
    const { href } = new URL('../../console/data/push.ts', import.meta.url)
    const { renewPush } = (await import(href)) as { renewPush: (publicKey: string) => Promise<void> }
    await renewPush(PUBLIC_KEY)
    expect([changed.ended(), changed.asked.length]).to.deep.equal([1, 1])
    expect(changed.sent.map(({ body }) => body)).to.deep.equal([
      { endpoint: 'https://push.example.com/new', keys: KEYS, browser: 'Firefox on Android' },
    ])
    be(same)
    await renewPush(PUBLIC_KEY)
    expect([same.ended(), same.asked.length, same.sent.length]).to.deep.equal([0, 0, 0])
  })
})
