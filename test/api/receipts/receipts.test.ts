import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { acceptOrder, cancelOrder } from '../../../api/orders/routes.ts'
import { getReceipt } from '../../../api/receipts/routes.ts'
import { sha256Hex } from '../../../protocol/canonical.ts'
import { publicKeyJwk, verifyDocument } from '../../../protocol/signing.ts'
import { urnString } from '../../../protocol/urn.ts'
import { expectProblem } from '../http/api.ts'
import {
  delivered,
  everything,
  funded,
  newTrader,
  type PlacedOrder,
  placed,
  read,
  startMarket,
  type TestMarket,
  type Trader,
} from '../trading.ts'

describe('a receipt', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  before(async () => {
    market = await startMarket()
    buyer = await newTrader(market)
    seller = await newTrader(market)
  })
  after(() => market.stop())

  const receiptUrn = async (order: PlacedOrder) => urnString('receipt', (await read(order)).receipt_urn?.body ?? '')
  const receiptOf = async (order: PlacedOrder, as: Trader) =>
    (await as.client.call(getReceipt, { params: { urn: await receiptUrn(order) } })).body
  const keys = async () => [await publicKeyJwk(market.api.settings.signingKey)]

  it('is unsigned while the order is open', async () => {
    const order = await delivered(market, await placed(buyer, seller, 'custodied'))
    const receipt = await receiptOf(order, buyer)
    expect(receipt).to.deep.include({ disputed: false, order_urn: { prefix: 'order', body: order.id }, signed: null })
  })

  it('proves what was paid, once the order is final, to whoever has the published key', async () => {
    const order = await delivered(market, await placed(buyer, seller, 'custodied'))
    await buyer.client.call(acceptOrder, { params: { urn: order.urn } })
    const { signed } = await receiptOf(order, seller)
    if (!signed) throw new Error('the receipt is not signed')
    const { document, key_id: keyId, signature } = signed
    expect(document).to.deep.include({
      order_urn: order.urn,
      escrow_mode: 'custodied',
      price: '20.000000',
      seller_net: '19.000000',
      market_fee: '1.000000',
      refunded: '0.000000',
      payer: buyer.wallet.address,
      payee: null,
      deposit_nonce: order.offer.nonce,
      output_hash: sha256Hex('the work'),
      spec_hash: sha256Hex('Forty-two lines of verse.'),
    })
    expect(await verifyDocument(document, { keyId, signature }, await keys())).to.equal(true)
    const forged = { ...document, seller_net: '20.000000', market_fee: '0.000000' }
    expect(await verifyDocument(forged, { keyId, signature }, await keys())).to.equal(false)
  })

  it('of a cancelled order shows the refund', async () => {
    const order = await funded(market, await placed(buyer, seller, 'custodied'))
    await seller.client.call(cancelOrder, { params: { urn: order.urn }, body: { reason_code: 'cannot_deliver' } })
    const { signed } = await receiptOf(order, buyer)
    expect(signed?.document).to.deep.include({
      price: '20.000000',
      seller_net: '0.000000',
      market_fee: '0.000000',
      refunded: '20.000000',
      output_hash: null,
    })
  })

  it('shows others no more than that there is one', async () => {
    const order = await delivered(market, await placed(buyer, seller, 'custodied'))
    await buyer.client.call(acceptOrder, { params: { urn: order.urn } })
    const stranger = await newTrader(market)
    expect(Object.keys(await receiptOf(order, stranger))).to.deep.equal(['urn', 'order_urn', 'disputed'])
  })

  it('is signed with a decision, by the buyer, of a receipt there is', async () => {
    const order = await delivered(market, await placed(buyer, seller, 'custodied'))
    const before = await everything(market)
    const sign = (urn: string, body: unknown) =>
      market.api.send('POST', `/v1/receipts/${urn}/sign`, {
        token: buyer.token,
        body,
        headers: { 'market-version': '2026-05-05' },
      })
    expectProblem(await sign(await receiptUrn(order), {}), 400, 'request/invalid', 'accept')
    expectProblem(await sign(await receiptUrn(order), { accept: 'yes' }), 400, 'request/invalid', 'accept')
    expectProblem(await sign(urnString('receipt', order.id), { accept: true }), 404, 'resource/not-found')
    expect(await everything(market)).to.deep.equal(before)
  })
})
