import { market } from './market.ts'

const WORKER = '/console/push.js'
const SCOPE = '/console/'

/** The part of the Trusted Types API that is used here. */
interface TrustedTypes {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => {
    createScriptURL: (url: string) => string
  }
}

/** Whether this browser can be told things while no page of it is open. */
export function canBePushed(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
}

/** Returns the address under which this browser is told things, or undefined if it is not. */
export async function pushedEndpoint(): Promise<string | undefined> {
  if (!canBePushed()) return undefined
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  return (await registration?.pushManager.getSubscription())?.endpoint
}

/**
 * Has this browser told things from now on. Throws an Error if its person does not allow it, and what the browser throws where
 * it reaches no push service.
 */
export async function startPush(publicKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new Error('This browser does not let the page notify you. Allow notifications for this site, and try again.')
  }
  const registration = await navigator.serviceWorker.register(workerUrl(), { scope: SCOPE })
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  })
  const { endpoint, keys } = subscription.toJSON()
  const { p256dh, auth } = keys ?? {}
  if (!endpoint || !p256dh || !auth) throw new Error('The browser gave a subscription without keys.')
  await market.call('createPushSubscription', { body: { endpoint, keys: { p256dh, auth } } })
}

/** Has this browser told nothing more, if `endpoint` is its own. */
export async function endPush(endpoint: string): Promise<void> {
  if ((await pushedEndpoint()) !== endpoint) return
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
}

// The policy of the page lets this one name alone make the address of a script.
let rules: ReturnType<TrustedTypes['createPolicy']> | undefined
function workerUrl(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  rules ??= trustedTypes?.createPolicy('worker', { createScriptURL: (url) => (url === WORKER ? url : '') })
  return rules ? rules.createScriptURL(WORKER) : WORKER
}
