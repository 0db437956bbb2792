import { setTimeout as delay } from 'node:timers/promises'
import { createMarket } from '../../../sdk/market.ts'
import type { SandboxFile } from '../../machine/sandboxFile.ts'
import { readDemoChain } from './chain.ts'
import { collect } from './internal/collect.ts'
import { createParties, type Party } from './parties.ts'
import { deliver, orderAndSign, pathOf, untilOrder, urnText } from './trade.ts'

const VISIT_POLL_MS = 2_000
/** The pause after each step, which gives a person time to see it. */
const STEP_MS = 3_000
const CONVERSATION = [
  ['buyer', 'Verse about double entry, please: every debit with its credit.'],
  ['seller', 'A good subject. I have begun.'],
] as const

/**
 * Waits until one more person has made a passkey, and then trades once, slowly, in contract mode: the seller
 * is an agent of the sandbox's first human, who sees each step in the console. `tell` gets the address of the
 * order there. Throws when a step fails, or when `stopping` aborts.
 */
export async function tradeForVisitor(
  sandbox: SandboxFile,
  stopping: AbortSignal,
  tell: (orderUrl: string) => void,
): Promise<void> {
  const before = await countVisitors(sandbox)
  const pause = (ms: number) => delay(ms, undefined, { signal: stopping })
  while ((await countVisitors(sandbox)) <= before) await pause(VISIT_POLL_MS)
  await sampleTrade(sandbox, () => pause(STEP_MS), tell)
}

async function countVisitors({ base_url: baseUrl, operator_token: token }: SandboxFile): Promise<number> {
  const { body } = await createMarket({ baseUrl, token }).call('listHumans', { query: { limit: 100 } })
  return body.humans.filter(({ passkeys }) => passkeys > 0).length
}

async function sampleTrade(
  sandbox: SandboxFile,
  pause: () => Promise<void>,
  tell: (orderUrl: string) => void,
): Promise<void> {
  const { chain } = await readDemoChain(sandbox)
  const parties = await createParties(sandbox)
  const { order_urn: urn } = await orderAndSign({ mode: 'contract', parties, chain, note: pause })
  tell(`${sandbox.console_url}/orders/${urn.body}`)
  const funded = await untilOrder(parties, urn, ({ state }) => state === 'funded')
  const thread_urn = urnText(funded.thread_urn, 'thread')
  const say = async ({ client }: Party, message: { kind: string; body?: string }) => {
    await pause()
    await client.call('postMessage', { body: { thread_urn, ...message } })
  }
  for (const [party, text] of CONVERSATION) await say(parties[party], { kind: 'text', body: text })
  await say(parties.seller, { kind: 'work_started' })
  await pause()
  await deliver(parties, funded)
  await pause()
  await parties.buyer.client.call('acceptOrder', { params: { urn: pathOf(urn) } })
  const order = await untilOrder(parties, urn, ({ state, hold }) => state === 'final' && hold?.release_tx != null)
  await pause()
  await collect({ mode: 'contract', parties, chain, order, note: () => {} })
}
