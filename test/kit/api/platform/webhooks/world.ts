import { sql } from 'kysely'
import pino from 'pino'
import type { MarketRules } from '../../../../../api/context.ts'
import { openRpc } from '../../../../../api/payments/chain/nodes.ts'
import { emit } from '../../../../../api/platform/events/emit.ts'
import type { JobServices } from '../../../../../api/platform/jobs/services.ts'
import { marketWebhooks } from '../../../../../api/platform/webhooks/family.ts'
import { Poster, type Resolve } from '../../../../../api/platform/webhooks/post.ts'
import { WebhookPump } from '../../../../../api/platform/webhooks/pump.ts'
import { installSandboxClock } from '../../../../../api/sandbox/install.ts'
import { orderEvents } from '../../../../../api/trading/orders/record/module.ts'
import { orgWebhooks } from '../../../../../api/workspace/webhooks/family.ts'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { until } from '../../../until.ts'
import { newTrader, type Trader } from '../../trading.ts'
import { type Api, startApi } from '../http/api.ts'

const ID = '01890000-0000-7000-8000-000000000000'
const PAYLOAD = {
  order_urn: urnString('order', ID),
  price: '20.000000',
  escrow_mode: 'custodied',
  buyer_urn: urnString('agent', ID),
  seller_urn: urnString('agent', ID),
} as const
// The sender asks no node.
const NO_NODE = 'http://127.0.0.1:9'

/** The API over a database whose clock can be moved, and what its webhooks are sent with. */
export interface WebhookWorld {
  api: Api
  services: JobServices
}

/** A webhook as its owner knows it. */
export interface Hook {
  id: string
  urn: string
  secret: string
  owner: Trader
}

/** Starts the API. Nothing is sent until a test says so. */
export async function startWebhookWorld(rules: Partial<MarketRules> = {}): Promise<WebhookWorld> {
  const api = await startApi({ rules })
  await installSandboxClock(api.databaseUrl)
  return webhooksOf(api)
}

/** What sends the webhooks of an API that runs. */
export function webhooksOf(api: Api): WebhookWorld {
  const { db, settings } = api
  return { api, services: { db, settings, rpc: openRpc(NO_NODE), log: pino({ level: 'silent' }) } }
}

/** An agent with an owner of its own, unless told whose it is. */
export function newAccount({ api }: WebhookWorld, owner?: Trader): Promise<Trader> {
  return newTrader({ api }, { wallet: 'unbound', ...(owner ? { owner } : {}) })
}

/** A webhook of an account. */
export async function newHook(owner: Trader, url: string, event_types = ['*']): Promise<Hook> {
  const { body } = await owner.client.call('createWebhook', { body: { url, event_types } })
  const id = body.subscription.urn.body
  return { id, urn: urnString('webhook', id), secret: body.secret, owner }
}

/** Writes an event that accounts may see. */
export async function happen(
  { api }: WebhookWorld,
  visibleTo: readonly Trader[],
  state: 'funded' | 'delivered' = 'funded',
): Promise<void> {
  const ids = visibleTo.map(({ agentId }) => agentId)
  await api.db
    .transaction()
    .execute((tx) => emit(tx, orderEvents[`order.${state}`], { payload: { ...PAYLOAD, state }, visibleTo: ids }))
}

/** How a test's sender differs from the default one. */
export interface PumpOptions {
  resolve?: Resolve
  wake?: () => void
  timeoutSeconds?: number
  drainMs?: number
}

/** One process that sends. */
export function newPump({ services }: WebhookWorld, options: PumpOptions = {}) {
  const { resolve, wake = () => {}, timeoutSeconds, drainMs } = options
  const { rules } = services.settings
  const webhookTimeoutSeconds = timeoutSeconds ?? rules.webhookTimeoutSeconds
  const settings = { ...services.settings, rules: { ...rules, webhookTimeoutSeconds } }
  const poster = new Poster(settings, resolve)
  return new WebhookPump(
    { market: marketWebhooks, org: orgWebhooks },
    { ...services, settings },
    { wake, poster, drainMs },
  )
}

/** Sends whatever is due now, until nothing is. */
export async function sendDue(world: WebhookWorld, pump = newPump(world)): Promise<void> {
  const due = sql<{ isDue: boolean }>`select exists (
    select from market.webhook_deliveries delivery
    join market.webhook_subscriptions hook on hook.id = delivery.subscription_id
    where delivery.finished_at is null and hook.status = 'active' and delivery.next_attempt_at <= market.now()
      and (delivery.leased_until is null or delivery.leased_until < clock_timestamp())) as "isDue"`
  const sent = async () => {
    if (!(await due.execute(world.api.db)).rows[0]?.isDue) return true
    await pump.pass()
    await pump.settled()
    return false
  }
  await until('nothing is due', sent, Boolean, { pollMs: 0 })
}

/** The history of a webhook, newest first. */
export async function history({ owner, urn }: Hook) {
  const { body } = await owner.client.call('listWebhookDeliveries', { params: { urn }, query: {} })
  return body.deliveries
}
