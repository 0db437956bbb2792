import { randomUUID } from 'node:crypto'
import { parseAmount } from '../../../protocol/encoding/amounts.ts'
import { signedAuthorizationFor } from '../../../sdk/authorization.ts'
import type { Market } from '../../../sdk/market.ts'
import { paymentMarket } from '../../../sdk/offer.ts'
import { Misuse } from '../../terminal/options.ts'
import { money, urnText } from '../../terminal/text.ts'
import { timeOf } from './client.ts'
import { expectedPayee } from './knownPayees.ts'
import { openWallet, readKeptConfig } from './wallet.ts'

interface Purchase {
  ask: string
  'max-price'?: string
  mode?: string
  config?: string
  keystore?: string
  'password-file'?: string
  payee?: string
}

/**
 * Places an order on an ask and hands over its payment, signed by a keystore's wallet for the agreed terms.
 * Returns the order's URN. Throws an Error, and orders nothing, if the price is above the given maximum.
 */
export async function placeAndPay(client: Market, given: Purchase): Promise<string> {
  const { ask: urn, mode, 'max-price': most, config, keystore, 'password-file': passwordFile, payee } = given
  if (!most || !config || !keystore || !passwordFile)
    throw new Misuse('An order needs --max-price, --config, --keystore and --password-file as well.')
  const mostMicros = parseAmount(most)
  if (mostMicros === undefined) throw new Misuse('--max-price must be an amount, such as 20.000000.')
  if (mode !== undefined && mode !== 'contract' && mode !== 'custodied')
    throw new Misuse('--mode is contract or custodied.')
  // Opens the wallet first, so any fault of it shows before anything is ordered.
  const market = paymentMarket(await readKeptConfig(config))
  const account = await openWallet(keystore, passwordFile)
  const { body: ask, response } = await client.call('getAsk', { params: { urn } })
  if ((parseAmount(ask.price) ?? mostMicros + 1n) > mostMicros)
    throw new Error(`The ask costs ${money(ask.price)}, more than ${money(most)}. Nothing was ordered.`)
  const placed = await client.call('placeOrder', {
    body: { ask_urn: urn, ask_version: ask.version, ...(mode ? { escrow_mode: mode } : {}) },
    idempotencyKey: randomUUID(),
  })
  if (placed.status !== 402) throw new Error('The order was taken for the payment of another.')
  const expected = expectedPayee(account.address, payee)
  const nowSeconds = Math.floor(timeOf(response.headers) / 1_000)
  const agreed = { price: ask.price, seller: ask.seller_urn, nowSeconds, ...expected }
  const signed_authorization = await signedAuthorizationFor(placed.body, account, market, agreed)
  const order = urnText(placed.body.order_urn)
  await client.call('fundOrder', {
    params: { urn: order },
    body: { signed_authorization },
    idempotencyKey: randomUUID(),
  })
  return order
}
