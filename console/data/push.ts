import { toBase64url } from '../../protocol/encoding/bytes.ts'
import { isProblem } from '../../sdk/problem.ts'
import { t } from '../texts/texts.ts'
import { browserName } from './internal/browserName.ts'
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

/** Whether this browser supports push notifications. */
export function canBePushed(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
}

/** Returns the endpoint of this browser's push subscription, or undefined without one. */
export async function pushedEndpoint(): Promise<string | undefined> {
  if (!canBePushed()) return undefined
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  return (await registration?.pushManager.getSubscription())?.endpoint
}

/**
 * Subscribes this browser to push notifications. Throws an Error if the person does not allow them, and what
 * the browser throws if it reaches no push service.
 */
export async function startPush(publicKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new Error(
      t('This browser does not let the page notify you. Allow notifications for this site, and try again.'),
    )
  }
  const registration = await navigator.serviceWorker.register(workerUrl(), { scope: SCOPE })
  const former = await registration.pushManager.getSubscription()
  if (isForOtherKey(former, publicKey)) await former?.unsubscribe()
  const subscribe = () => registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const subscription = await subscribe()
  try {
    await register(subscription)
  } catch (error) {
    if (!isProblem(error, 'market:error:push/registered-elsewhere')) throw error
    await subscription.unsubscribe()
    await register(await subscribe())
  }
}

/** Subscribes this browser again if it is subscribed with a key that the service no longer uses. */
export async function renewPush(publicKey: string): Promise<void> {
  if (!canBePushed() || Notification.permission !== 'granted') return
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  const subscription = (await registration?.pushManager.getSubscription()) ?? null
  if (isForOtherKey(subscription, publicKey)) await startPush(publicKey)
}

function isForOtherKey(subscription: PushSubscription | null, publicKey: string): boolean {
  const key = subscription?.options.applicationServerKey
  return key !== undefined && key !== null && toBase64url(new Uint8Array(key)) !== publicKey
}

async function register(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON()
  const { p256dh, auth } = keys ?? {}
  if (!endpoint || !p256dh || !auth) throw new Error(t('The browser gave a subscription without keys.'))
  const browser = browserName(navigator.userAgent)
  const body = { endpoint, keys: { p256dh, auth }, ...(browser ? { browser } : {}) }
  await market.call('createPushSubscription', { body })
}

/** Ends the push subscription of this browser, if `endpoint` is its own. */
export async function endPush(endpoint: string): Promise<void> {
  if ((await pushedEndpoint()) !== endpoint) return
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
}

// The page's policy allows only this name to create the URL of a script.
let rules: ReturnType<TrustedTypes['createPolicy']> | undefined
function workerUrl(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  rules ??= trustedTypes?.createPolicy('worker', { createScriptURL: (url) => (url === WORKER ? url : '') })
  return rules ? rules.createScriptURL(WORKER) : WORKER
}
