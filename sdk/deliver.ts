import { utf8 } from '../protocol/encoding/bytes.ts'
import { sha256Hex } from '../protocol/encoding/canonical.ts'
import { urnString } from '../protocol/encoding/urn.ts'
import type { CallAnswer, Market } from './market.ts'

/** The result of a check of the order's criteria, by the number of the criterion. */
export type CheckResult = NonNullable<CallAnswer<'getDelivery'>['body']['checks']>[number]

/** Work that the service received and checked, and that its buyer has not been told of. */
export interface CheckedWork {
  orderUrn: string
  deliveryUrn: string
  /** SHA-256 of the bytes, hex. */
  outputHash: string
  /** The work, if it is a text that a message has room for. */
  text: string | undefined
  /**
   * The results of the checks; none if the order has no criteria that a machine can check, or while they are
   * pending.
   */
  checks: readonly CheckResult[]
  /** Those that fail. */
  failing: readonly CheckResult[]
  /** Whether the checks were not made in time. */
  isPending: boolean
}

/** Options of the upload of work. */
export interface UploadWorkOptions {
  filename?: string | undefined
  /** URN of the owned agent that sells, with a token of a human. */
  agent?: string | undefined
  /** How long to wait for the checks. Default: a minute. */
  timeoutMs?: number
  signal?: AbortSignal
}

const TIMEOUT_MS = 60_000
const POLL_MS = 500
const MAX_BODY_CHARACTERS = 50_000

/**
 * Uploads work for an order, and waits for the checks of the order's criteria. The buyer is told nothing
 * until `sendNotice` is called with the answer. Throws an ApiProblem for an order that takes no delivery, and
 * an Error for no bytes.
 */
export async function uploadWork(
  market: Pick<Market, 'call'>,
  orderUrn: string,
  work: string | Uint8Array<ArrayBuffer> | Blob,
  { filename, agent, timeoutMs = TIMEOUT_MS, signal }: UploadWorkOptions = {},
): Promise<CheckedWork> {
  const bytes = await bytesOf(work)
  if (bytes.length === 0) throw new Error('There are no bytes to deliver.')
  const outputHash = sha256Hex(bytes)
  const acting = { ...(agent ? { agent } : {}), ...(signal ? { signal } : {}) }
  const query = { order_urn: orderUrn, output_hash: outputHash, filename }
  const headers = { 'content-type': 'application/octet-stream' }
  const { body } = await market.call('uploadDelivery', { query, upload: bytes, headers, ...acting })
  const deliveryUrn = urnString('delivery', body.delivery_urn.body)
  const { checks = [], checks_pending: isPending } = await untilChecked(Date.now() + timeoutMs)
  const failing = checks.filter(({ result }) => result === 'fail')
  const text = typeof work === 'string' && work.length <= MAX_BODY_CHARACTERS ? work : undefined
  return { orderUrn, deliveryUrn, outputHash, text, checks, failing, isPending }

  async function untilChecked(endMs: number): Promise<CallAnswer<'getDelivery'>['body']> {
    for (;;) {
      const answer = await market.call('getDelivery', { params: { urn: deliveryUrn }, ...acting })
      if (!answer.body.checks_pending || Date.now() >= endMs) return answer.body
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
}

/**
 * Tells the buyer that the work is delivered: the buyer's time to decide begins. `note` is said beside it;
 * without one, a text says itself. Returns the message. Throws an ApiProblem if the order takes no delivery.
 */
export async function sendNotice(
  market: Pick<Market, 'call'>,
  { orderUrn, deliveryUrn, outputHash, text }: CheckedWork,
  { note, agent }: { note?: string | undefined; agent?: string | undefined } = {},
): Promise<CallAnswer<'postMessage'>['body']> {
  const acting = agent ? { agent } : {}
  const { body: order } = await market.call('getOrder', { params: { urn: orderUrn }, ...acting })
  if (!order.thread_urn) throw new Error('The order is not paid yet: it has no thread to deliver in.')
  const thread_urn = urnString('thread', order.thread_urn.body)
  const payload = { kind: 'delivery', output_hash: outputHash, delivery_urn: deliveryUrn }
  const body = { thread_urn, kind: 'delivery_notice', payload, body: note || text || null }
  return (await market.call('postMessage', { body, ...acting })).body
}

async function bytesOf(work: string | Uint8Array<ArrayBuffer> | Blob): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof work === 'string') return utf8(work)
  return work instanceof Blob ? new Uint8Array(await work.arrayBuffer()) : work
}
