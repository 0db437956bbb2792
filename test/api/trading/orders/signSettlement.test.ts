import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { type Address, zeroAddress } from 'viem'
// The API describes schemas of the protocol that must not be made before.
import '../../../../api/app.ts'
import { submitPayout } from '../../../../api/payments/payouts/internal/submit.ts'
import type { Pass } from '../../../../facilitator/evidence/pass.ts'
import { distributionOf, legOf } from '../../../../facilitator/proof/distribution.ts'
import { isProved } from '../../../../facilitator/proof/internal/proof.ts'
import { signSight } from '../../../../facilitator/proof/knownWallets.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { type IntentPayload, intentPayload } from '../../../../protocol/payments/intents.ts'
import { formerSettlementTypedData } from '../../../../protocol/payments/settlement.ts'
import { createMarket } from '../../../../sdk/market.ts'
import { type PaymentMarket, paymentMarket } from '../../../../sdk/offer.ts'
import { OfferRefused } from '../../../../sdk/offerRefused.ts'
import { ApiProblem } from '../../../../sdk/problem.ts'
import { acceptProposal } from '../../../../sdk/proposals.ts'
import { settlementToSign, signSettlement } from '../../../../sdk/settlement.ts'
import { bindWallet } from '../../../../sdk/wallet.ts'
import { decideDispute, workOnDisputes } from '../../../kit/api/trading/disputes/arbitration.ts'
import {
  delivered,
  funded,
  newTrader,
  type PlacedOrder,
  placed,
  startTrading,
  type TestMarket,
  type Trader,
  threadOf,
} from '../../../kit/api/trading.ts'
import { otherForms } from '../../../kit/chain/signatureForms.ts'

const PRICE = '20.000000'
const NOTHING = '0.000000'
const HALF = '10.000000'

describe('a settlement signed by a party', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  let mallory: Trader
  let trusted: PaymentMarket
  before(async () => {
    ;({ market, buyer, seller, stranger: mallory } = await startTrading())
    trusted = paymentMarket((await buyer.client.call('getPublicConfig', {})).body)
  })
  after(() => market.stop())

  const sign = async (trader: Trader, { urn }: PlacedOrder, refund: string, by = trader.wallet) => {
    const { body: order } = await trader.client.call('getOrder', { params: { urn } })
    await signSettlement(trader.client, by, order, trusted, { refund })
  }
  const paidTo = async ({ urn }: PlacedOrder) =>
    (await buyer.client.call('getOrder', { params: { urn } })).body.hold?.paid_to
  const refusal = (act: Promise<unknown>) =>
    act.then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof ApiProblem) return { type: error.type, field: error.field }
        throw error
      },
    )
  const intentsOf = async ({ id }: PlacedOrder) => {
    const rows = market.api.db.selectFrom('market.intents').selectAll().where('order_id', '=', id).orderBy('id')
    return (await rows.execute()).map(({ payload }) => intentPayload.parse(payload))
  }
  /** Whether the facilitator takes an intent for proved, by its own code. */
  const proved = async (
    intent: IntentPayload | undefined,
    { verdictKeys = [], inDays = 0 }: { verdictKeys?: Pass['verdictKeys']; inDays?: number } = {},
  ): Promise<boolean> => {
    const { chain } = market.api.settings
    const at = { ...chain, startBlock: 0n }
    const now = { timestamp: BigInt(Math.floor(Date.now() / 1_000) + inDays * 86_400) }
    const pass = {
      ...{ at, client: market.chain.client, verdictKeys, walletFactories: [] },
      ...{ head: { latest: now, confirmed: now, earlierTime: now.timestamp }, limits: { releaseDelaySeconds: 0n } },
      domainName: new URL(market.api.settings.baseUrl).host,
      hotWallet: mallory.wallet,
      store: { appealFees: async () => [], walletSights: async () => sights },
    } as unknown as Pass
    const wallet = seller.wallet.address.toLowerCase() as Address
    const seen = { ownerId: seller.humanId, wallet, from: null, seenAt: 0n, dueAt: 0n }
    const sights = [await signSight(pass, seen)]
    if (intent?.kind === 'release') return isProved(pass, distributionOf(at, intent))
    if (intent?.kind === 'payout') return isProved(pass, legOf(at, intent))
    return false
  }
  const payoutsOf = async ({ id }: PlacedOrder) => {
    const rows = await market.api.db.selectFrom('market.payouts').select('id').where('order_id', '=', id).execute()
    for (const payout of rows)
      await market.api.db.transaction().execute((tx) => submitPayout(tx, market.api.settings, payout.id))
    return (await intentsOf({ id } as PlacedOrder)).filter(({ kind }) => kind === 'payout')
  }
  const releaseOf = async (order: PlacedOrder) => (await intentsOf(order)).find(({ kind }) => kind === 'release')

  const disputed = async (by = seller, mode: 'contract' | 'custodied' = 'contract') => {
    const order = await delivered(market, await placed(buyer, by, mode))
    await buyer.client.call('rejectOrder', { params: { urn: order.urn }, body: { reason: 'Half of it is missing.' } })
    const opener_urn = `market:agent:${buyer.agentId}`
    const claim = 'Half of it is missing.'
    await buyer.client.call('openDispute', { body: { order_urn: order.urn, opener_urn, claim } })
    return order
  }

  it('proves an acceptance and a concession to the facilitator, in each mode', async () => {
    const [accepted, conceded] = [
      await delivered(market, await placed(buyer, seller, 'contract')),
      await funded(market, await placed(buyer, seller, 'contract')),
    ]
    await sign(buyer, accepted, NOTHING)
    await buyer.client.call('acceptOrder', { params: { urn: accepted.urn } })
    expect(await proved(await releaseOf(accepted))).to.equal(true)
    await sign(seller, conceded, PRICE)
    const body = { reason_code: 'other' } as const
    await seller.client.call('cancelOrder', { params: { urn: conceded.urn }, body })
    expect(await proved(await releaseOf(conceded))).to.equal(true)

    const [sold, returned] = [
      await delivered(market, await placed(buyer, seller, 'custodied')),
      await funded(market, await placed(buyer, seller, 'custodied')),
    ]
    await sign(buyer, sold, NOTHING)
    await buyer.client.call('acceptOrder', { params: { urn: sold.urn } })
    await sign(seller, returned, PRICE)
    await seller.client.call('cancelOrder', { params: { urn: returned.urn }, body })
    const [net, ...others] = await payoutsOf(sold)
    const [refund] = await payoutsOf(returned)
    expect([await proved(net), others.length, await proved(refund)]).to.deep.equal([true, 0, true])
  })

  it('names the wallet that is paid, zero if there is none yet, and no other', async () => {
    const unpaid = await newTrader(market, { wallet: 'unbound' })
    const [sold, early, fixed] = [
      await delivered(market, await placed(buyer, seller, 'custodied')),
      await delivered(market, await placed(buyer, unpaid, 'custodied')),
      await delivered(market, await placed(buyer, seller, 'contract')),
    ]
    const wallets = [seller.wallet.address, zeroAddress, seller.wallet.address]
    expect(await Promise.all([sold, early, fixed].map(paidTo))).to.deep.equal(wallets)
    for (const order of [sold, early, fixed]) await sign(buyer, order, NOTHING)
    const kept = market.api.db.selectFrom('market.settlement_approvals').select('payee').orderBy('created_at')
    const ids = [sold, early, fixed].map(({ id }) => id)
    const rows = await kept.where('order_id', 'in', ids).execute()
    expect(rows.map(({ payee }) => payee)).to.deep.equal(wallets.map((wallet) => wallet.toLowerCase()))

    for (const order of [sold, fixed]) {
      const { body } = await buyer.client.call('getOrder', { params: { urn: order.urn } })
      const hold = body.hold && {
        ...body.hold,
        paid_to: mallory.wallet.address,
        payee: body.hold.payee && mallory.wallet.address,
      }
      const forged = { ...body, hold }
      const to = { refund: NOTHING }
      expect(await refusal(signSettlement(buyer.client, buyer.wallet, forged, trusted, to))).to.deep.equal({
        ...{ type: 'market:error:settlements/invalid', field: 'payee' },
      })
      const expected = { refund: NOTHING, payee: seller.wallet.address }
      const refused = await signSettlement(buyer.client, buyer.wallet, forged, trusted, expected).catch(
        (error) => error,
      )
      expect(refused).to.be.instanceOf(OfferRefused).and.include({ fault: 'payee' })
    }
  })

  it('of version 1 is still taken, and proves a payment to the seller’s first wallet', async () => {
    const order = await delivered(market, await placed(buyer, seller, 'custodied'))
    const { body } = await buyer.client.call('getOrder', { params: { urn: order.urn } })
    const { message, domain } = settlementToSign(body, trusted, { refund: NOTHING })
    const { payee: _named, ...former } = message
    const place = { chainId: domain.chainId, holder: domain.verifyingContract }
    const signature = await buyer.wallet.signTypedData(formerSettlementTypedData(place, former))
    const valid_before = Number(message.validBefore)
    await buyer.client.call('signSettlement', {
      params: { urn: order.urn },
      body: { refund: NOTHING, wallet: buyer.wallet.address, valid_before, signature },
    })
    await buyer.client.call('acceptOrder', { params: { urn: order.urn } })
    const [net] = await payoutsOf(order)
    expect(await proved(net)).to.equal(true)
  })

  it('proves it whatever form the wallet gives the signature', async () => {
    for (const form of Object.keys(otherForms(`0x${'01'.repeat(64)}1b`))) {
      const order = await delivered(market, await placed(buyer, seller, 'contract'))
      const signTypedData: typeof buyer.wallet.signTypedData = async (typed) =>
        otherForms(await buyer.wallet.signTypedData(typed))[form] ?? '0x'
      await sign(buyer, order, NOTHING, { ...buyer.wallet, signTypedData })
      await buyer.client.call('acceptOrder', { params: { urn: order.urn } })
      expect(await proved(await releaseOf(order)), form).to.equal(true)
    }
  })

  const settle = async (order: PlacedOrder) => {
    const thread_urn = await threadOf(order)
    const content = { thread_urn, kind: 'remedy_proposal', payload: { refund: HALF } }
    const { body: proposal } = await order.seller.client.call('postMessage', { body: content })
    await acceptProposal(buyer.client, proposal)
    return releaseOf(order)
  }

  it('is of both in a split, and not proved by one of them, nor without any', async () => {
    const both = await disputed()
    await sign(seller, both, HALF)
    await sign(buyer, both, HALF)
    expect(await proved(await settle(both))).to.equal(true)
    const one = await disputed()
    await sign(seller, one, HALF)
    expect(await proved(await settle(one))).to.equal(false)
    expect(await proved(await settle(await disputed()))).to.equal(false)
  })

  it('proves a split in custody by a wallet that the owner of the seller bound, or both of them did', async () => {
    const owner = createMarket({ baseUrl: market.api.baseUrl, token: seller.humanToken })
    await bindWallet(owner, seller.wallet)
    const { wallet } = seller
    const withoutWallet = { ...(await newTrader(market, { wallet: 'unbound', owner: seller })), wallet }
    for (const by of [withoutWallet, seller]) {
      const order = await disputed(by, 'custodied')
      for (const party of [buyer, by]) await sign(party, order, HALF)
      await settle(order)
      const payouts = await payoutsOf(order)
      expect(await Promise.all(payouts.map((payout) => proved(payout)))).to.deep.equal([true, true])
    }
  })

  it('is not needed for a verdict, which proves itself once it can be appealed no more', async () => {
    const order = await disputed()
    const { body } = await buyer.client.call('getOrder', { params: { urn: order.urn } })
    const params = { urn: urnString('dispute', body.dispute_urn?.body ?? '') }
    await decideDispute(market.api, params.urn)
    for (const { client } of [buyer, seller]) await client.call('waiveAppeal', { params })
    await workOnDisputes(market.api)
    const release = await releaseOf(order)
    const { body: config } = await buyer.client.call('getPublicConfig', {})
    const verdictKeys = config.keys.keys.filter(({ purpose }) => purpose === 'verdicts') as Pass['verdictKeys']
    expect(await proved(release, { verdictKeys })).to.equal(false)
    expect(await proved(release, { verdictKeys, inDays: 4 })).to.equal(true)
    expect(await proved(release, { inDays: 4 })).to.equal(false)
  })

  it('is of what happens: one of another outcome proves nothing', async () => {
    const order = await delivered(market, await placed(buyer, seller, 'contract'))
    await sign(buyer, order, HALF)
    await buyer.client.call('acceptOrder', { params: { urn: order.urn } })
    const release = await releaseOf(order)
    expect(release?.kind === 'release' && release.evidence?.approvals).to.deep.equal([])
    expect(await proved(release)).to.equal(false)
  })

  it('is refused, and changes nothing, of another wallet, of a stranger, and where nothing is held', async () => {
    const order = await delivered(market, await placed(buyer, seller, 'contract'))
    const stranger = await newTrader(market)
    const { body } = await buyer.client.call('getOrder', { params: { urn: order.urn } })
    const kept = () =>
      market.api.db.selectFrom('market.settlement_approvals').selectAll().orderBy('signature').execute()
    const before = await kept()
    const invalid = (field: string) => ({ type: 'market:error:settlements/invalid', field })
    expect(await refusal(sign(buyer, order, NOTHING, stranger.wallet))).to.deep.equal(invalid('wallet'))
    expect(await refusal(sign(seller, order, PRICE, buyer.wallet))).to.deep.equal(invalid('wallet'))
    const lying = { ...buyer.wallet, signTypedData: stranger.wallet.signTypedData }
    expect(await refusal(sign(buyer, order, NOTHING, lying))).to.deep.equal(invalid('signature'))
    const late = signSettlement(buyer.client, buyer.wallet, body, trusted, { refund: NOTHING, validSeconds: -60 })
    expect(await refusal(late)).to.deep.equal(invalid('valid_before'))
    const theirs = signSettlement(stranger.client, buyer.wallet, body, trusted, { refund: NOTHING })
    expect(await refusal(theirs)).to.deep.equal({ type: 'market:error:resource/not-found', field: undefined })
    expect(await kept()).to.deep.equal(before)
    // Another wallet of the seller's is not the one that is paid.
    const sold = await delivered(market, await placed(buyer, seller, 'custodied'))
    const another = await newTrader(market, { wallet: 'unbound' })
    const [bound, further] = [seller, another].map(({ wallet }) => wallet.address.toLowerCase())
    await sql`insert into market.wallet_owners (address, owner_id) values (${further}, ${seller.humanId})
      on conflict (address) do update set owner_id = excluded.owner_id`.execute(market.api.db)
    await sql`insert into market.wallets (id, account_id, owner_id, address, message, signature)
      select gen_random_uuid(), account_id, owner_id, ${further}, message, signature from market.wallets
      where address = ${bound}`.execute(market.api.db)
    expect(await refusal(sign(seller, sold, PRICE, another.wallet))).to.deep.equal(invalid('wallet'))
    expect(await kept()).to.deep.equal(before)
    const unpaid = await placed(buyer, seller, 'contract')
    const held = { ...body, urn: { prefix: 'order' as const, body: unpaid.id } }
    const early = signSettlement(buyer.client, buyer.wallet, held, trusted, { refund: NOTHING })
    expect((await refusal(early))?.type).to.equal('market:error:orders/state-conflict')
  })

  it('is not signed where the order names another holder, a fee above the most, or more than was paid', async () => {
    const order = await delivered(market, await placed(buyer, seller, 'contract'))
    const { body } = await buyer.client.call('getOrder', { params: { urn: order.urn } })
    const { hold } = body
    if (!hold) throw new Error('nothing is held')
    const faultOf = (changes: object, refund = NOTHING) =>
      signSettlement(buyer.client, buyer.wallet, { ...body, hold: { ...hold, ...changes } }, trusted, { refund }).then(
        () => undefined,
        (error: unknown) => (error instanceof OfferRefused ? error.fault : error),
      )
    expect(await faultOf({ holder: buyer.wallet.address })).to.equal('recipient')
    expect(await faultOf({ fee_bps: 1_001 })).to.equal('fee')
    expect(await faultOf({}, '20.000001')).to.equal('amount')
    expect(await faultOf({ status: 'released' })).to.equal('order')
  })
})
