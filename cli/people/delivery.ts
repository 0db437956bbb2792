import { createHash } from 'node:crypto'
import type { Market } from '../../sdk/market.ts'
import { Misuse } from './options.ts'
import type { Order } from './order.ts'
import { printable, urnText } from './text.ts'

/** What a buyer says of a delivery: accepted, or rejected with a reason. */
export interface Decision {
  accept?: string | undefined
  reject?: string | undefined
  reason?: string | undefined
}

/** The last delivery of an order: its text, where it has one, and the SHA-256 that its seller named. */
interface Delivery {
  text: string | null
  sha256: string
}

/** Returns the last delivery of a delivered order as people read it; undefined for an order in another state. */
export async function deliveryText(client: Market, order: Order): Promise<string | undefined> {
  if (order.state !== 'delivered') return undefined
  const { text, sha256 } = await readDelivery(client, order)
  const fits = text !== null && createHash('sha256').update(text).digest('hex') === sha256
  const about = text === null ? '' : fits ? ', which is that of this text' : ', which this text does not have'
  const lines = (text ?? '').split('\n').map((line) => `  ${printable(line)}`)
  return ['', 'Delivered, in the words of the seller', ...lines, '', `  sha-256 ${sha256}${about}`].join('\n')
}

/**
 * Accepts or rejects the delivery that has this SHA-256. Throws a Misuse for a call that says both or gives no reason, and an
 * Error where another one was delivered meanwhile: nothing is decided then.
 */
export async function decide(client: Market, urn: string, { accept, reject, reason }: Decision): Promise<void> {
  const named = accept ?? reject
  if (named === undefined || (accept !== undefined && reject !== undefined))
    throw new Misuse('Say either --accept or --reject, with the SHA-256 of the delivery.')
  if ((reject === undefined) !== (reason === undefined))
    throw new Misuse('--reject has a --reason, and --accept has none.')
  const { body: order } = await client.call('getOrder', { params: { urn } })
  const { sha256 } = await readDelivery(client, order)
  if (sha256 !== named.toLowerCase().replace(/^0x/, ''))
    throw new Error(`The last delivery has the SHA-256 ${sha256}. Look at it before you decide. Nothing was decided.`)
  if (reason === undefined) await client.call('acceptOrder', { params: { urn } })
  else await client.call('rejectOrder', { params: { urn }, body: { reason } })
}

async function readDelivery(client: Market, { thread_urn }: Order): Promise<Delivery> {
  if (!thread_urn) throw new Error('The order is not paid yet, so nothing was delivered.')
  const messages = await Array.fromAsync(client.pages('listMessages', { params: { urn: urnText(thread_urn) } }))
  const notice = messages.findLast(({ kind }) => kind === 'delivery_notice')
  const hash = notice?.payload?.output_hash
  if (!notice || typeof hash !== 'string') throw new Error('Nothing was delivered yet.')
  return { text: notice.body ?? null, sha256: hash.toLowerCase().replace(/^0x/, '') }
}
