import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { pino } from 'pino'
import type { PublicClient } from 'viem'
import { reverseEvent } from '../../../../api/payments/settlement/internal/reorgReversal.ts'
import { sealAuditLog } from '../../../../api/platform/audit/seal.ts'
import { publishedKeys } from '../../../../api/platform/signing/keys.ts'
import { sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { publicKeyJwk, verifyDocument } from '../../../../protocol/keys/signing.ts'
import { checkReceipt, type ReceiptProof } from '../../../../sdk/receipts.ts'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import {
  delivered,
  everything,
  funded,
  newAsk,
  type PlacedOrder,
  placed,
  read,
  startTrading,
  type TestMarket,
  type Trader,
} from '../../../kit/api/trading.ts'

describe('a receipt', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  let stranger: Trader
  before(async () => {
    ;({ market, buyer, seller, stranger } = await startTrading())
  })
  after(() => market.stop())

  const receiptUrn = async (order: PlacedOrder) => urnString('receipt', (await read(order)).receipt_urn?.body ?? '')
  const receiptOf = async (order: PlacedOrder, as: Trader) =>
    (await as.client.call('getReceipt', { params: { urn: await receiptUrn(order) } })).body
  const keys = () => publishedKeys(market.api.db, market.api.settings)
  const receipt = { purpose: 'receipts' } as const

  it('is unsigned while the order is open [spec 4:26]', async () => {
    const order = await delivered(market, await placed(buyer, seller, 'custodied'))
    const receipt = await receiptOf(order, buyer)
    expect(receipt).to.deep.include({ disputed: false, order_urn: { prefix: 'order', body: order.id }, signed: null })
  })

  it('proves what was paid, once the order is final, to whoever has the published key [spec 2.10:2 4:28]', async () => {
    const order = await delivered(market, await placed(buyer, seller, 'custodied'))
    await buyer.client.call('acceptOrder', { params: { urn: order.urn } })
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
    expect(document.input_hash).to.match(/^[0-9a-f]{64}$/)
    // No wallet signed: it was accepted with a token alone.
    expect(document.settlement).to.deep.equal({ approvals: [] })
    expect(await verifyDocument(document, { keyId, signature }, await keys(), receipt)).to.equal(true)
    const forged = { ...document, seller_net: '20.000000', market_fee: '0.000000' }
    expect(await verifyDocument(forged, { keyId, signature }, await keys(), receipt)).to.equal(false)
  })

  it('of a cancelled order shows the refund', async () => {
    const order = await funded(market, await placed(buyer, seller, 'custodied'))
    await seller.client.call('cancelOrder', { params: { urn: order.urn }, body: { reason_code: 'cannot_deliver' } })
    const { signed } = await receiptOf(order, buyer)
    expect(signed?.document).to.deep.include({
      price: '20.000000',
      seller_net: '0.000000',
      market_fee: '0.000000',
      refunded: '20.000000',
      output_hash: null,
    })
  })

  it('shows others no more than that there is one [spec 2.10:1 4:26]', async () => {
    const order = await delivered(market, await placed(buyer, seller, 'custodied'))
    await buyer.client.call('acceptOrder', { params: { urn: order.urn } })
    expect(Object.keys(await receiptOf(order, stranger))).to.deep.equal(['urn', 'order_urn', 'disputed'])
  })

  describe('its proof', () => {
    const final = async (options: Record<string, unknown> = {}) => {
      const ask_urn = await newAsk(seller)
      const answer = await buyer.client.call('placeOrder', { body: { ask_urn, escrow_mode: 'custodied', ...options } })
      if (answer.status !== 402) throw new Error(`the order was answered ${answer.status}, not 402`)
      const { body: id } = answer.body.order_urn
      const order = await delivered(market, { id, urn: urnString('order', id), buyer, seller, offer: answer.body })
      await buyer.client.call('acceptOrder', { params: { urn: order.urn } })
      return order
    }
    const answerTo = async (as: Trader, order: PlacedOrder) =>
      (await as.client.call('verifyReceipt', { params: { urn: await receiptUrn(order) } })).body
    const proofFor = async (as: Trader, order: PlacedOrder) => {
      const { proof } = await answerTo(as, order)
      if (!proof) throw new Error('there is no proof yet')
      return proof
    }
    const seal = async () => {
      const { db, settings } = market.api
      await sealAuditLog({ db, settings, rpc: {} as PublicClient, log: pino({ level: 'silent' }) })
    }

    it('is checked offline, and shows whatever was changed [spec 4:28]', async () => {
      const order = await final()
      await seal()
      const proof = await proofFor(seller, order)
      expect(await checkReceipt(proof, await keys())).to.deep.equal([])
      expect(proof.valid).to.equal(true)
      expect(proof.settlement.map(({ kind }) => kind)).to.deep.equal(['payment'])
      const { document, audit } = proof
      if (!document || !audit?.content) throw new Error('the proof is not whole')
      const otherNet = { ...document, seller_net: '20.000000' }
      const details = { ...audit.content.details, sha256: sha256Hex('x') }
      for (const [changed, faults] of [
        [{ ...proof, document: otherNet }, ['document', 'signature', 'sum', 'audit']],
        [{ ...proof, canonical: `${proof.canonical} ` }, ['document']],
        [{ ...proof, signature: proof.signature.replace(/^./, (one) => (one === 'A' ? 'B' : 'A')) }, ['signature']],
        [{ ...proof, settlement: [] }, ['settlement']],
        [{ ...proof, audit: { ...audit, hash: sha256Hex('x') } }, ['audit']],
        [{ ...proof, audit: { ...audit, content: { ...audit.content, details } } }, ['audit']],
        [{ ...proof, audit: { ...audit, content: { ...audit.content, salt: sha256Hex('x') } } }, ['audit']],
      ] as const) {
        expect(await checkReceipt(changed as ReceiptProof, await keys())).to.deep.equal(faults)
      }
      expect(await checkReceipt(proof, [await publicKeyJwk('ab'.repeat(32))])).to.deep.equal(['signature'])
    })

    it('shows no payment that the chain has taken back', async () => {
      const order = await final()
      const { document } = await proofFor(seller, order)
      const key = `payment:${document?.payer.toLowerCase()}:${document?.deposit_nonce}`
      const reverse = market.api.db.transaction().execute((tx) => reverseEvent(tx, market.api.settings, key))
      expect(await reverse).to.equal(true)
      expect((await proofFor(seller, order)).settlement).to.deep.equal([])
    })

    it('lets a stranger check the copy that a party shows, and no other, and tells them nothing else', async () => {
      const order = await final()
      await seal()
      const proof = await proofFor(stranger, order)
      expect(proof).to.deep.include({ document: null, canonical: null, settlement: [] })
      expect(proof.audit?.content).to.equal(null)
      expect(await checkReceipt(proof, await keys())).to.deep.equal(['document'])
      const { document } = await proofFor(buyer, order)
      if (!document) throw new Error('a party reads no document')
      expect(await checkReceipt(proof, await keys(), document)).to.deep.equal([])
      const other = { ...document, output_hash: sha256Hex('x') }
      expect(await checkReceipt(proof, await keys(), other)).to.deep.equal(['document', 'signature'])
    })

    it('does not exist while the order is open [spec 4:28]', async () => {
      const order = await delivered(market, await placed(buyer, seller, 'custodied'))
      expect(await answerTo(buyer, order)).to.deep.include({ final: false, proof: null })
    })

    it('and the receipt are for everyone, or for nobody else, where the order was placed so [spec 2.10:5]', async () => {
      const open = await final({ receipt_privacy: 'public' })
      expect((await receiptOf(open, stranger)).signed?.document).to.deep.include({ privacy_mode: 'public' })
      expect((await proofFor(stranger, open)).document).to.deep.include({ price: '20.000000' })
      const secret = await final({ receipt_privacy: 'private' })
      const path = `/v1/receipts/${await receiptUrn(secret)}`
      for (const one of [path, `${path}/verify`]) {
        expectProblem(await market.api.send('GET', one, { token: stranger.token }), 404, 'resource/not-found')
        expect((await market.api.send('GET', one, { token: seller.token })).status).to.equal(200)
      }
    })
  })

  it('is signed with a decision, by the buyer, of a receipt there is [spec 4:27]', async () => {
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
