import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { applyChainEvent } from '../../../../api/payments/settlement/internal/applyChainEvent.ts'
import { recordPayment } from '../../../../api/payments/settlement/internal/payment.ts'
import type { AuthorizationType } from '../../../../protocol/payments/paymentSignature.ts'
import { createMarket } from '../../../../sdk/market.ts'
import { bindWallet } from '../../../../sdk/wallet.ts'
import { deploySignerWallet } from '../../../kit/api/identity/wallets/signerWallet.ts'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import {
  confirmPayment,
  everything,
  newTrader,
  type PlacedOrder,
  paid,
  placed,
  randomHash,
  read,
  signed,
  startMarket,
  type TestMarket,
  type Trader,
} from '../../../kit/api/trading.ts'
import { otherForms } from '../../../kit/chain/signatureForms.ts'
import { uncheckedAuthorization } from '../../../kit/chain/unchecked.ts'

const FROM = 'signed_authorization.from'

describe('an order is paid', () => {
  let market: TestMarket
  let seller: Trader
  before(async () => {
    market = await startMarket()
    seller = await newTrader(market)
  })
  after(() => market.stop())

  const newKey = () => privateKeyToAccount(generatePrivateKey())
  const fund = async (
    order: PlacedOrder,
    wallet: Parameters<typeof uncheckedAuthorization>[1],
    type: AuthorizationType = 'transfer',
  ) =>
    market.api.send('POST', `/v1/orders/${order.urn}/fund`, {
      token: order.buyer.token,
      body: { signed_authorization: await uncheckedAuthorization(order.offer, wallet, market.chain.tokenNames, type) },
    })
  const authorizationsOf = (order: PlacedOrder) =>
    market.api.db
      .selectFrom('market.authorizations')
      .select(['payer', 'state', 'attempt'])
      .where('order_id', '=', order.id)
      .orderBy('attempt')
      .execute()
  /** What the facilitator writes when it sends a transaction for the payment of an order. */
  const send = async ({ id }: PlacedOrder) => {
    const hash = randomHash()
    await sql`insert into facilitator.transactions (hash, intent_id, signer, nonce, raw)
      select ${hash}, id, '0x' || repeat('0', 40), 0, '0x02f8' from market.intents where order_id = ${id} order by id desc limit 1`.execute(
      market.api.db,
    )
    return hash
  }
  const fail = (order: PlacedOrder, failure: string | null = null) =>
    market.api.db
      .updateTable('market.authorizations')
      .set({ state: 'failed', failure })
      .where('order_id', '=', order.id)
      .execute()
  // What the settler says when the buyer's payment went straight to the token, past our submission.
  const arrive = async (order: PlacedOrder, from: Address) => {
    const row = await market.api.db
      .selectFrom('market.orders')
      .selectAll()
      .where('id', '=', order.id)
      .executeTakeFirstOrThrow()
    const place = { blockNumber: 1n, blockHash: randomHash(), txHash: randomHash(), logIndex: 1 }
    await market.api.db.transaction().execute((tx) =>
      recordPayment(tx, market.api.settings, {
        kind: 'payment',
        place,
        from: from.toLowerCase() as Address,
        to: row.recipient as Address,
        amountMicros: row.price_micros,
        nonce: row.nonce as Hex,
        holdId: null,
      }),
    )
  }

  it('by whatever wallet signs, for a buyer who has verified none', async () => {
    const buyer = await newTrader(market, { wallet: 'unbound' })
    const order = await placed(buyer, seller, 'custodied')
    const wallet = newKey()
    expect((await fund(order, wallet)).status).to.equal(202)
    expect(await authorizationsOf(order)).to.deep.equal([
      { payer: wallet.address.toLowerCase(), state: 'pending', attempt: 1 },
    ])
  })

  it("by the owner's wallet, and not by one of another agent of the owner's [spec 4.1:8]", async () => {
    const buyer = await newTrader(market, { wallet: 'unbound' })
    const sibling = await newTrader(market, { owner: buyer })
    const order = await placed(buyer, seller, 'custodied')
    expectProblem(await fund(order, sibling.wallet), 422, 'orders/payer-wallet-required', FROM)
    const owner = createMarket({ baseUrl: market.api.baseUrl, token: buyer.humanToken })
    await bindWallet(owner, buyer.wallet)
    expect((await fund(order, buyer.wallet)).status).to.equal(202)
  })

  for (const mode of ['contract', 'custodied'] as const) {
    it(`by a key whatever form its wallet gives the signature, kept in the form that the token takes, in ${mode} mode`, async () => {
      const type = mode === 'contract' ? 'receive' : 'transfer'
      for (const form of Object.keys(otherForms(`0x${'01'.repeat(64)}1b`))) {
        const buyer = await newTrader(market)
        const order = await placed(buyer, seller, mode)
        let plain: Hex | undefined
        const signTypedData: typeof buyer.wallet.signTypedData = async (typed) => {
          plain = await buyer.wallet.signTypedData(typed)
          return otherForms(plain)[form] ?? '0x'
        }
        const signer = { address: buyer.wallet.address, signTypedData }
        expect((await fund(order, signer, type)).status, form).to.equal(202)
        const kept = market.api.db.selectFrom('market.authorizations').select('signature')
        const rows = await kept.where('order_id', '=', order.id).execute()
        expect(rows, form).to.deep.equal([{ signature: plain }])
      }
    })
  }

  it('by a contract wallet that says it signed, and not when it says it did not [risk wallet-denies]', async () => {
    const buyer = await newTrader(market, { wallet: 'unbound' })
    const order = await placed(buyer, seller, 'contract')
    const address = await deploySignerWallet(market.chain, buyer.wallet.address)
    const other = newKey()
    const unsigned = { address, signTypedData: other.signTypedData }
    expectProblem(await fund(order, unsigned), 422, 'authorization/signature-invalid', 'signed_authorization.signature')
    const signer = { address, signTypedData: buyer.wallet.signTypedData }
    expect((await fund(order, signer)).status).to.equal(202)
  })

  for (const type of ['receive', 'transfer'] as const) {
    it(`into the contract by a ${type} authorization, of a key or of a contract wallet`, async () => {
      const buyer = await newTrader(market)
      expect((await fund(await placed(buyer, seller, 'contract'), buyer.wallet, type)).status).to.equal(202)
      const other = await newTrader(market, { wallet: 'unbound' })
      const address = await deploySignerWallet(market.chain, other.wallet.address)
      const signer = { address, signTypedData: other.wallet.signTypedData }
      expect((await fund(await placed(other, seller, 'contract'), signer, type)).status).to.equal(202)
    })
  }

  it('never by the account it pays [risk payee-pays]', async () => {
    const buyer = await newTrader(market, { owner: seller, wallet: 'unbound' })
    const order = await placed(buyer, seller, 'contract')
    const owner = createMarket({ baseUrl: market.api.baseUrl, token: seller.humanToken })
    await bindWallet(owner, seller.wallet)
    const before = await everything(market)
    expectProblem(await fund(order, seller.wallet), 422, 'authorization/mismatch', FROM)
    expect(await everything(market)).to.deep.equal(before)
  })

  it('by a second signature once the first has failed for good, of the same wallet or another', async () => {
    const buyer = await newTrader(market, { wallet: 'unbound' })
    const order = await placed(buyer, seller, 'contract')
    const [first, second] = [newKey(), newKey()]
    expect((await fund(order, first)).status).to.equal(202)
    expectProblem(await fund(order, second), 409, 'orders/already-funded')
    await fail(order)
    expect((await fund(order, first)).status).to.equal(202)
    await fail(order)
    expect((await fund(order, second)).status).to.equal(202)
    expect(await authorizationsOf(order)).to.deep.equal([
      { payer: first.address.toLowerCase(), state: 'failed', attempt: 2 },
      { payer: second.address.toLowerCase(), state: 'pending', attempt: 3 },
    ])
    const intents = await market.api.db
      .selectFrom('market.intents')
      .select('key')
      .where('order_id', '=', order.id)
      .execute()
    expect(intents.map(({ key }) => key)).to.have.members([1, 2, 3].map((attempt) => `fund:${order.id}:${attempt}`))
  })

  it("with an authorization that is nobody else's: a pending one of a victim is a 409 [risk stolen-authorization]", async () => {
    const victim = await newTrader(market, { wallet: 'unbound' })
    const theirs = await paid(market, await placed(victim, seller, 'custodied'))
    const thief = await newTrader(market, { wallet: 'unbound' })
    const order = await placed(thief, seller, 'custodied')
    const before = await everything(market)
    const body = { signed_authorization: await signed(market, theirs) }
    const reply = await market.api.send('POST', `/v1/orders/${order.urn}/fund`, { token: thief.token, body })
    expectProblem(reply, 409, 'orders/payer-conflict', 'signed_authorization.nonce')
    expect(await everything(market)).to.deep.equal(before)
  })

  it('at once, when the payment arrived before its authorization was presented', async () => {
    const buyer = await newTrader(market, { wallet: 'unbound' })
    const order = await placed(buyer, seller, 'custodied')
    await arrive(order, buyer.wallet.address)
    expect((await read(order)).state).to.equal('placed')
    const params = { urn: order.urn }
    const { body } = await buyer.client.call('fundOrder', {
      params,
      body: { signed_authorization: await signed(market, order) },
    })
    expect(body.state).to.equal('funded')
    const open = await market.api.db.selectFrom('market.intents').selectAll().where('order_id', '=', order.id).execute()
    expect(open).to.deep.equal([])
  })

  it('or refunded, when it was cancelled before the payment was confirmed', async () => {
    const buyer = await newTrader(market)
    const order = await paid(market, await placed(buyer, seller, 'custodied'))
    await buyer.client.call('cancelOrder', { params: { urn: order.urn }, body: { reason_code: 'changed_mind' } })
    await confirmPayment(market, order)
    expect((await read(order)).state).to.equal('cancelled')
    const [refund] = await market.api.db
      .selectFrom('market.payouts')
      .select(['leg', 'amount_micros', 'to_address'])
      .where('order_id', '=', order.id)
      .execute()
    expect(refund).to.deep.equal({
      leg: 'payer',
      amount_micros: 20_000_000n,
      to_address: buyer.wallet.address.toLowerCase(),
    })
  })

  it('later, where the payment went past the contract: the order tells until when it is being adopted', async () => {
    const buyer = await newTrader(market)
    const order = await placed(buyer, seller, 'contract')
    expect(await read(order)).to.not.have.property('funding')
    await arrive(order, buyer.wallet.address)
    const arrived = (await read(order)).funding
    expect(arrived).to.deep.include({ state: 'adopting', amount: '20.000000' })
    expect(arrived).to.not.have.property('until')
    const event = {
      ...({ kind: 'stray_announced', action: 'adopt', amount: 20_000_000n, availableAt: 1_900_000_000 } as const),
      place: { blockNumber: 2n, blockHash: randomHash(), txHash: randomHash(), logIndex: 0 },
      from: buyer.wallet.address.toLowerCase() as Address,
      nonce: order.offer.nonce as Hex,
    }
    await market.api.db.transaction().execute((tx) => applyChainEvent(tx, market.api.settings, event))
    const funding = { ...arrived, until: '2030-03-17T17:46:40.000Z' }
    expect(await read(order)).to.deep.include({ state: 'placed', funding })
    const { body } = await buyer.client.call('listOrders', { query: {} })
    expect(body.orders.find(({ urn }) => urn.body === order.id)).to.deep.include({ funding })
  })

  it('and cancelled while a payment that went past the contract is being adopted: it is adopted no more', async () => {
    const buyer = await newTrader(market)
    const order = await placed(buyer, seller, 'contract')
    await arrive(order, buyer.wallet.address)
    await buyer.client.call('cancelOrder', { params: { urn: order.urn }, body: { reason_code: 'other' } })
    const cancelled = await read(order)
    expect(cancelled.state).to.equal('cancelled')
    expect(cancelled.funding).to.deep.include({ state: 'returning', amount: '20.000000' })
    const intents = market.api.db.selectFrom('market.intents').select(['kind', 'closing'])
    expect(await intents.where('order_id', '=', order.id).execute()).to.deep.equal([
      { kind: 'adopt', closing: 'voided' },
    ])
  })

  it('again after a payment that failed, unless its nonce is spent: the order says why and what to do', async () => {
    const buyer = await newTrader(market)
    const order = await placed(buyer, seller, 'custodied')
    expect((await fund(order, buyer.wallet)).status).to.equal(202)
    const submitted = (await read(order)).funding
    expect(submitted).to.have.all.keys('state', 'detail').and.include({ state: 'submitted' })
    expect(submitted?.detail).to.match(/Do not sign another one/)
    const first = await send(order)
    expect((await read(order)).funding).to.deep.equal({ ...submitted, tx: first })
    const bumped = await send(order)
    const { body } = await buyer.client.call('listOrders', { query: {} })
    expect(body.orders[0]).to.deep.include({ funding: { ...submitted, tx: bumped } })
    expect(body.orders[0]?.may).to.not.include('fund')
    await fail(order, 'insufficient_balance')
    const failed = (await read(order)).funding
    expect(failed).to.include({ state: 'failed', reason: 'insufficient_balance', tx: bumped })
    expect(failed?.detail).to.match(/Fill it up, then pay again/)
    expect((await fund(order, buyer.wallet)).status).to.equal(202)
    await fail(order, 'authorization_used')
    expect((await read(order)).funding?.detail).to.match(/Place a new order/)
    const before = await everything(market)
    expectProblem(await fund(order, buyer.wallet), 409, 'authorization/spent', 'signed_authorization.nonce')
    expect(await everything(market)).to.deep.equal(before)
  })
})
