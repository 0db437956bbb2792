import type { CallAnswer, Market } from '../../sdk/market.ts'
import { ToolRefusal } from '../tool.ts'

type Message = CallAnswer<'listMessages'>['body']['messages'][number]

/** A seller's delivery: its notice in the thread. */
export interface Notice {
  message: Message
  /** Hex, without 0x. */
  sha256: string
}

/** Returns the thread of an order. Throws a ToolRefusal for one that is not paid. */
export async function threadOf(client: Market, orderUrn: string): Promise<string> {
  const { body } = await client.call('getOrder', { params: { urn: orderUrn } })
  if (!body.thread_urn) throw new ToolRefusal(`The order is ${body.state}: it has a thread once it is paid.`)
  return `market:thread:${body.thread_urn.body}`
}

/** Returns the newest delivery of an order. Throws a ToolRefusal where there is none. */
export async function latestNotice(client: Market, orderUrn: string): Promise<Notice> {
  const params = { urn: await threadOf(client, orderUrn) }
  const messages = await Array.fromAsync(client.pages('listMessages', { params }))
  const message = messages.findLast(({ kind }) => kind === 'delivery_notice')
  if (!message) throw new ToolRefusal('Nothing was delivered for this order.')
  return { message, sha256: plainHash(message.payload?.output_hash) }
}

/** Throws a ToolRefusal unless the newest delivery is the one that the agent looked at. */
export async function requireLatest(client: Market, orderUrn: string, outputHash: string): Promise<void> {
  const { sha256 } = await latestNotice(client, orderUrn)
  if (sha256 === plainHash(outputHash)) return
  throw new ToolRefusal(
    `The newest delivery is ${sha256}, not the one you looked at. Read it with get_delivery. Nothing was decided.`,
  )
}

function plainHash(hash: unknown): string {
  return String(hash).toLowerCase().replace(/^0x/, '')
}
