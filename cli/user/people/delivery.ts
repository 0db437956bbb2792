import { createHash } from 'node:crypto'
import { parseUrn, type UrnObject, urnString } from '../../../protocol/encoding/urn.ts'
import type { Market } from '../../../sdk/market.ts'
import { paymentMarket } from '../../../sdk/offer.ts'
import { signSettlement } from '../../../sdk/settlement.ts'
import { Misuse } from '../../terminal/options.ts'
import { printable, urnText } from '../../terminal/text.ts'
import { checksText } from './checksText.ts'
import { timeOf } from './client.ts'
import { expectedPayee } from './knownPayees.ts'
import type { Order } from './order.ts'
import { openWallet, readKeptConfig } from './wallet.ts'

/** A buyer's decision on a delivery: accepted, or rejected with a reason. */
export interface Decision {
  accept?: string | undefined
  reject?: string | undefined
  reason?: string | undefined
  /** The wallet that paid: its signature releases the money at once, whatever the amount. */
  config?: string | undefined
  keystore?: string | undefined
  'password-file'?: string | undefined
  /** The seller's new wallet, if it changed. */
  payee?: string | undefined
}

/**
 * The last delivery of an order: its text, if any, the SHA-256 that its seller named, and its upload, if any.
 */
interface Delivery {
  text: string | null
  sha256: string
  uploadUrn: string | undefined
}

/**
 * Returns the last delivery of a delivered order as people read it; undefined for an order in another state.
 */
export async function deliveryText(client: Market, order: Order): Promise<string | undefined> {
  if (order.state !== 'delivered') return undefined
  const { text, sha256, uploadUrn } = await readDelivery(client, order)
  const fits = text !== null && createHash('sha256').update(text).digest('hex') === sha256
  const about = fits
    ? ', which is that of this text'
    : text === null || uploadUrn
      ? ''
      : ', which this text does not have'
  const lines = (text ?? '').split('\n').map((line) => `  ${printable(line)}`)
  const upload = uploadUrn ? await uploadText(client, order, uploadUrn) : [NO_BYTES]
  return ['', 'Delivered, in the words of the seller', ...lines, '', `  sha-256 ${sha256}${about}`, ...upload].join(
    '\n',
  )
}

const NO_BYTES = '  No bytes were uploaded: nothing is checked, and a dispute finds no delivery.'

async function uploadText(client: Market, order: Order, urn: string): Promise<string[]> {
  const { body: file } = await client.call('getDelivery', { params: { urn } })
  const pending = file.checks_pending ? ['  Its checks are not made yet.'] : []
  const checks = file.checks?.length ? [checksText(file.checks, order.criteria)] : []
  return [`  file ${printable(file.filename ?? 'without a name')}, ${file.size_bytes} bytes`, ...checks, ...pending]
}

/**
 * Accepts or rejects the delivery that has this SHA-256. Throws a Misuse for a call that does both or gives
 * no reason, and an Error, without deciding anything, if another delivery was made meanwhile.
 */
export async function decide(client: Market, urn: string, decision: Decision): Promise<void> {
  const { accept, reject, reason } = decision
  const named = accept ?? reject
  if (named === undefined || (accept !== undefined && reject !== undefined))
    throw new Misuse('Say either --accept or --reject, with the SHA-256 of the delivery.')
  if ((reject === undefined) !== (reason === undefined))
    throw new Misuse('--reject has a --reason, and --accept has none.')
  const { body: order, response } = await client.call('getOrder', { params: { urn } })
  const { sha256 } = await readDelivery(client, order)
  if (sha256 !== named.toLowerCase().replace(/^0x/, ''))
    throw new Error(`The last delivery has the SHA-256 ${sha256}. Look at it before you decide. Nothing was decided.`)
  if (reason === undefined) {
    await signAcceptance(client, order, decision, Math.floor(timeOf(response.headers) / 1_000))
    await client.call('acceptOrder', { params: { urn } })
  }
  if (reason !== undefined) await client.call('rejectOrder', { params: { urn }, body: { reason } })
}

/** Signs the acceptance with the given wallet, if any. Throws a Misuse if only half of a wallet is given. */
async function signAcceptance(client: Market, order: Order, given: Decision, nowSeconds: number): Promise<void> {
  const { config, keystore, 'password-file': passwordFile, payee } = given
  if (!config && !keystore && !passwordFile) return
  if (!config || !keystore || !passwordFile)
    throw new Misuse('To sign an acceptance takes --config, --keystore and --password-file.')
  const market = paymentMarket(await readKeptConfig(config))
  const account = await openWallet(keystore, passwordFile)
  const expected = expectedPayee(account.address, payee)
  await signSettlement(client, account, order, market, { refund: '0.000000', nowSeconds, ...expected })
}

async function readDelivery(client: Market, { thread_urn }: Order): Promise<Delivery> {
  if (!thread_urn) throw new Error('The order is not paid yet, so nothing was delivered.')
  const messages = await Array.fromAsync(client.pages('listMessages', { params: { urn: urnText(thread_urn) } }))
  const notice = messages.findLast(({ kind }) => kind === 'delivery_notice')
  const hash = notice?.payload?.output_hash
  if (!notice || typeof hash !== 'string') throw new Error('Nothing was delivered yet.')
  const upload = parseUrn('delivery', (notice.payload?.delivery_urn ?? '') as string | UrnObject)
  return {
    text: notice.body ?? null,
    sha256: hash.toLowerCase().replace(/^0x/, ''),
    uploadUrn: upload && urnString('delivery', upload),
  }
}
