import { describe, it } from 'node:test'
import { expect } from 'chai'
import { type Address, getAddress, hashTypedData, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { urnString } from '../../protocol/encoding/urn.ts'
import { appealFeeNonce, appealKey, custodiedNonce } from '../../protocol/payments/nonces.ts'
import { HOLD_TYPES, typeSignedByKey } from '../../protocol/payments/paymentSignature.ts'
import { orderKey, termsHash } from '../../protocol/payments/terms.ts'
import { type AppealIntent, type AppealOffer, signedAppealFee } from '../../sdk/appeal.ts'
import { signOffer } from '../../sdk/authorization.ts'
import type { Market } from '../../sdk/market.ts'
import {
  type OfferedTerms,
  type PaymentIntent,
  type PaymentMarket,
  type PaymentOffer,
  tokenDomainOf,
} from '../../sdk/offer.ts'
import { OfferRefused } from '../../sdk/offerRefused.ts'
import { type KnownPayees, PayeeChanged } from '../../sdk/payees.ts'
import {
  type SettledOrder,
  type SettlementIntent,
  settlementToSign,
  signAsParty,
  signSettlement,
} from '../../sdk/settlement.ts'
import { expectEachMember } from '../kit/members.ts'

const address = (byte: string): Address => getAddress(`0x${byte.repeat(20)}`)
const [TOKEN, ESCROW, HOT_WALLET, FEES, SELLER, THIEF] = ['1a', '2b', '3c', '4d', '5e', '6f'].map(address) as [
  ...[Address, Address, Address],
  ...[Address, Address, Address],
]
const ORDER = '01a1fcef-f6c3-71d3-bf09-45bbbc9b0e6c'
const SELLER_AGENT = '01a1fcef-f6c3-71d3-bf09-45bbbc9b0e6d'
const OWNER = '01a1fcef-f6c3-71d3-bf09-45bbbc9b0e6e'
const NOW = 1_800_000_000
const DAY = 86_400
const PAYER = privateKeyToAccount(generatePrivateKey())
const market: PaymentMarket = {
  chainId: 8453,
  token: TOKEN,
  tokenName: { name: 'USD Coin', version: '2' },
  escrow: ESCROW,
  hotWallet: HOT_WALLET,
  feeRecipient: FEES,
}
const intent = { price: '20.000000', nowSeconds: NOW }
const time = (seconds: number) => new Date(seconds * 1_000).toISOString()

const wireTerms: OfferedTerms = {
  order: orderKey(ORDER),
  payee: SELLER,
  amount: '20.000000',
  fee_recipient: FEES,
  fee_bps: 500,
  fund_by: NOW + 3_600,
  expiry: NOW + 180 * DAY,
}
/** An offer whose nonce is truly that of the terms, whatever they are: what a hostile service can make. */
function contractOffer(changes: Partial<OfferedTerms> = {}, at = market): PaymentOffer {
  const terms = { ...wireTerms, ...changes }
  const nonce = termsHash(at, {
    order: terms.order as `0x${string}`,
    payee: terms.payee as Address,
    amount: BigInt(terms.amount.replace('.', '')),
    feeRecipient: terms.fee_recipient as Address,
    feeBps: terms.fee_bps,
    fundBy: terms.fund_by,
    expiry: terms.expiry,
  })
  return { ...custodiedOffer(), recipient: at.escrow, nonce, escrow_mode: 'contract', terms }
}
function custodiedOffer(): PaymentOffer {
  return {
    order_urn: { prefix: 'order', body: ORDER },
    token: TOKEN,
    network: 'eip155:8453',
    amount: '20.000000',
    recipient: HOT_WALLET,
    nonce: custodiedNonce(market, { orderId: ORDER, agentId: SELLER_AGENT, ownerId: OWNER }, 20_000_000n),
    valid_after: time(NOW - 600),
    valid_before: time(NOW + 3_600),
    escrow_mode: 'custodied',
    seller_urn: { prefix: 'agent', body: SELLER_AGENT },
    seller_owner_urn: { prefix: 'human', body: OWNER },
  }
}

describe('a payer who signs what a 402 asks for', () => {
  const account = PAYER
  /** The fault that an offer is refused for, and what was signed nevertheless. */
  const faultOf = async (offer: PaymentOffer, wanted: PaymentIntent = intent) => {
    const signed: unknown[] = []
    const signer: typeof account = {
      ...account,
      signTypedData: (typedData) => {
        signed.push(typedData)
        return account.signTypedData(typedData)
      },
    }
    try {
      await signOffer(offer, signer, market, wanted)
    } catch (error) {
      if (!(error instanceof OfferRefused)) throw error
      expect(signed).to.deep.equal([])
      return error.fault
    }
    expect(signed).to.have.length(1)
    return undefined
  }

  it('signs no terms whose expiry is no whole second', async () => {
    const offer = contractOffer()
    for (const expiry of [NOW + 180 * DAY + 0.5, Number.NaN])
      expect(await faultOf({ ...offer, terms: { ...wireTerms, expiry } } as PaymentOffer)).to.equal('expiry')
  })

  it('signs an offer of either mode that is what was agreed on', async () => {
    expect(await faultOf(custodiedOffer())).to.equal(undefined)
    expect(await faultOf(contractOffer())).to.equal(undefined)
    expect(await faultOf(contractOffer(), { ...intent, payee: SELLER })).to.equal(undefined)
  })

  it('signs for the contract what only the contract can submit, and for the wallet a transfer', async () => {
    const typeOf = async (offer: PaymentOffer) => {
      const signed = await signOffer(offer, account, market, intent)
      const domain = tokenDomainOf(market)
      return typeSignedByKey(domain, signed, HOLD_TYPES)
    }
    expect(await typeOf(contractOffer())).to.equal('receive')
    expect(await typeOf(custodiedOffer())).to.equal('transfer')
  })

  it('does not sign 9,999 to a thief until 2099 [risk reverse-proxy]', async () => {
    const theft = {
      ...{ amount: '9999.000000', recipient: THIEF, nonce: `0x${'ab'.repeat(32)}` },
      ...{ valid_after: time(0), valid_before: '2099-01-01T00:00:00.000Z' },
    }
    expect(await faultOf({ ...custodiedOffer(), ...theft })).to.equal('recipient')
    expect(await faultOf({ ...contractOffer(), ...theft })).to.equal('recipient')
  })

  for (const [fault, changes] of [
    ['network', { network: 'eip155:1' }],
    ['token', { token: THIEF }],
    ['recipient', { recipient: THIEF }],
    ['amount', { amount: '20.000001' }],
    ['amount', { amount: '20' }],
    ['validity', { valid_before: '2099-01-01T00:00:00.000Z' }],
    ['validity', { valid_before: 'whenever' }],
    ['validity', { valid_after: time(NOW + 3_000) }],
    ['order', { order_urn: { prefix: 'order', body: 'none' } }],
    ['nonce', { nonce: `0x${'ab'.repeat(32)}` }],
  ] as const) {
    it(`refuses ${JSON.stringify(changes)}, in either mode`, async () => {
      expect(await faultOf({ ...custodiedOffer(), ...changes })).to.equal(fault)
      expect(await faultOf({ ...contractOffer(), ...changes })).to.equal(fault)
    })
  }

  it('refuses in custodied mode another seller than is signed for, or than it expects, and none', async () => {
    const thief = { prefix: 'agent', body: OWNER }
    expect(await faultOf({ ...custodiedOffer(), seller_urn: thief })).to.equal('nonce')
    expect(await faultOf({ ...custodiedOffer(), seller_owner_urn: { prefix: 'human', body: SELLER_AGENT } })).to.equal(
      'nonce',
    )
    expect(await faultOf({ ...custodiedOffer(), seller_owner_urn: undefined })).to.equal('seller')
    expect(await faultOf(custodiedOffer(), { ...intent, seller: thief })).to.equal('seller')
    const seller = { prefix: 'agent', body: SELLER_AGENT }
    expect(await faultOf(custodiedOffer(), { ...intent, seller })).to.equal(undefined)
  })

  it('refuses the hot wallet in contract mode, and the contract in custodied mode', async () => {
    expect(await faultOf({ ...contractOffer(), recipient: HOT_WALLET })).to.equal('recipient')
    expect(await faultOf({ ...custodiedOffer(), recipient: ESCROW })).to.equal('recipient')
  })

  for (const [fault, changes] of [
    ['payee', { payee: zeroAddress }],
    ['payee', { payee: FEES }],
    ['payee', { payee: ESCROW }],
    ['payee', { payee: TOKEN }],
    ['payee', { payee: PAYER.address }],
    ['fee', { fee_recipient: THIEF }],
    ['fee', { fee_bps: 1_001 }],
    ['expiry', { expiry: NOW + 400 * DAY }],
    ['expiry', { expiry: NOW }],
    ['terms', { amount: '19.000000' }],
    ['terms', { order: `0x${'cd'.repeat(32)}` }],
    ['terms', { fund_by: NOW + 60 }],
  ] as const) {
    it(`refuses terms with ${JSON.stringify(changes)}, though the nonce is theirs`, async () => {
      expect(await faultOf(contractOffer(changes))).to.equal(fault)
    })
  }

  it('refuses a payee other than the one it expects, terms of another contract, and no terms', async () => {
    expect(await faultOf(contractOffer({ payee: THIEF }), { ...intent, payee: SELLER })).to.equal('payee')
    const elsewhere = contractOffer({}, { ...market, escrow: THIEF })
    expect(await faultOf({ ...elsewhere, recipient: ESCROW })).to.equal('nonce')
    expect(await faultOf({ ...contractOffer(), terms: undefined })).to.equal('terms')
  })

  it('refuses a seller’s wallet other than those it signed for before, unless it expects that one', async () => {
    const known = payeesOf({})
    const seller = { prefix: 'agent', body: SELLER_AGENT } as const
    const paying = { ...intent, seller, ...known }
    expect(await faultOf(contractOffer(), paying)).to.equal(undefined)
    await signOffer(contractOffer(), PAYER, market, paying)
    expect(known.kept).to.deep.equal({ [urnString('agent', SELLER_AGENT)]: [SELLER] })
    expect(await faultOf(contractOffer({ payee: THIEF }), paying)).to.equal('payee')
    expect(await faultOf(contractOffer({ payee: THIEF }), { ...paying, seller: { ...seller, body: OWNER } })).to.equal(
      undefined,
    )
    await signOffer(contractOffer({ payee: THIEF }), PAYER, market, { ...paying, payee: THIEF })
    for (const payee of [SELLER, THIEF]) expect(await faultOf(contractOffer({ payee }), paying)).to.equal(undefined)
  })

  const place = { token: 'token', network: 'network', recipient: 'recipient', amount: 'amount' }
  const others = { 'order_urn.body': OWNER, 'seller_urn.body': OWNER, 'seller_owner_urn.body': ORDER }

  it('refuses an offer of custody for each member that is another', async () => {
    const answers = {
      ...place,
      ...{ 'order_urn.prefix': 'order', 'order_urn.body': 'nonce', nonce: 'nonce', escrow_mode: 'recipient' },
      ...{ 'seller_urn.prefix': 'seller', 'seller_urn.body': 'nonce' },
      ...{ 'seller_owner_urn.prefix': 'seller', 'seller_owner_urn.body': 'nonce' },
      // Within the window of the market it is the payer's risk alone.
      ...{ valid_after: undefined, valid_before: undefined },
    }
    await expectEachMember(custodiedOffer(), answers, (offer) => faultOf(offer), others)
  })

  it('refuses an offer of the contract for each member that is another, of its terms too', async () => {
    const { seller_urn: _agent, seller_owner_urn: _owner, ...offer } = contractOffer()
    const answers = {
      ...place,
      ...{ 'order_urn.prefix': 'order', 'order_urn.body': 'terms', nonce: 'nonce', escrow_mode: 'recipient' },
      ...{ valid_after: undefined, valid_before: 'terms' },
      ...{ 'terms.order': 'terms', 'terms.amount': 'terms', 'terms.fund_by': 'terms' },
      ...{ 'terms.payee': 'nonce', 'terms.fee_recipient': 'fee', 'terms.fee_bps': 'nonce', 'terms.expiry': 'nonce' },
    }
    await expectEachMember<PaymentOffer>(offer, answers, (one) => faultOf(one), others)
  })
})

describe('a party who signs how its order’s payment is distributed', () => {
  const order: SettledOrder & { hold: object } = {
    urn: { prefix: 'order', body: ORDER },
    escrow_mode: 'contract',
    hold: {
      ...{ status: 'held', amount: '20.000000', payer: PAYER.address, nonce: `0x${'ab'.repeat(32)}` },
      ...{ payee: SELLER, holder: ESCROW, fee_bps: 500 },
    },
  }
  const digestOf = (of: SettledOrder, refund = '5.000000') =>
    hashTypedData(settlementToSign(of, market, { refund, nowSeconds: NOW }))
  const faultOf = (of: SettledOrder, refund?: string) => {
    try {
      return digestOf(of, refund) === digestOf(order) ? undefined : 'another signature'
    } catch (error) {
      if (error instanceof OfferRefused) return error.fault
      throw error
    }
  }

  it('refuses what is of another place, or of more than the most, and signs for no other payment', async () => {
    const signed = 'another signature'
    const answers = {
      ...{ 'urn.prefix': 'order', 'urn.body': signed, escrow_mode: 'recipient' },
      ...{ 'hold.status': 'order', 'hold.holder': 'recipient', 'hold.amount': signed, 'hold.payer': signed },
      ...{ 'hold.nonce': signed, 'hold.fee_bps': signed },
      'hold.payee': signed,
    }
    await expectEachMember<SettledOrder>(order, answers, (of) => faultOf(of), { 'hold.status': 'released' })
    const { hold } = order
    expect(faultOf({ ...order, hold: { ...hold, fee_bps: 1_001 } as SettledOrder['hold'] })).to.equal('fee')
    expect(faultOf({ ...order, hold: null })).to.equal('order')
    expect(faultOf(order, '20.000001')).to.equal('amount')
    for (const amount of ['', '20', '-1.000000', '20.0000000']) {
      expect(faultOf(order, amount), `a refund of ${amount}`).to.equal('amount')
      const held = { ...order, hold: { ...hold, amount } as SettledOrder['hold'] }
      expect(faultOf(held), `a hold of ${amount}`).to.equal('amount')
    }
  })
})

describe('a buyer who signs that a custodied seller is paid', () => {
  const seller_urn = { prefix: 'agent', body: SELLER_AGENT } as const
  const held = (paid_to: Address): SettledOrder => ({
    ...{ urn: { prefix: 'order', body: ORDER }, seller_urn, escrow_mode: 'custodied' },
    hold: {
      ...{ status: 'held', amount: '20.000000', payer: PAYER.address, nonce: `0x${'ab'.repeat(32)}` },
      ...{ payee: null, paid_to, holder: HOT_WALLET, fee_bps: 500 },
    },
  })
  const client = { call: async () => {} } as unknown as Pick<Market, 'call'>

  it('signs for no other wallet than before, unless it expects that one, and keeps what it signed for [risk market-api]', async () => {
    const known = payeesOf({})
    const sign = (paid: Address, changes: Partial<SettlementIntent> = {}) =>
      signSettlement(client, PAYER, held(paid), market, { refund: '0.000000', nowSeconds: NOW, ...known, ...changes })
    // Neither a message that pays nobody nor one that returns everything names a wallet that is paid.
    await sign(zeroAddress)
    await sign(THIEF, { refund: '20.000000' })
    expect(known.kept).to.deep.equal({})
    await sign(SELLER)
    const refused = await sign(THIEF).catch((error: unknown) => error)
    expect(refused).to.be.instanceOf(PayeeChanged).and.include({ payee: THIEF, fault: 'payee' })
    expect(refused).to.have.property('earlier').that.deep.equals([SELLER])
    await sign(zeroAddress)
    await sign(THIEF, { refund: '20.000000' })
    await sign(SELLER.toLowerCase() as Address)
    expect(known.kept).to.deep.equal({ [urnString('agent', SELLER_AGENT)]: [SELLER] })
    await sign(THIEF, { payee: THIEF })
    for (const paid of [SELLER, THIEF]) await sign(paid)
    expect(known.kept).to.deep.equal({ [urnString('agent', SELLER_AGENT)]: [SELLER, THIEF] })
  })

  it('keeps no wallet of a hold of the contract, whose terms an earlier signature has fixed', async () => {
    const known = payeesOf({ [urnString('agent', SELLER_AGENT)]: [SELLER] })
    const { hold, ...order } = held(THIEF)
    const inContract = { ...order, escrow_mode: 'contract', hold: { ...hold, payee: THIEF, holder: ESCROW } }
    const intended = { refund: '0.000000', nowSeconds: NOW, ...known }
    await signSettlement(client, PAYER, inContract as SettledOrder, market, intended)
    expect(known.kept).to.deep.equal({ [urnString('agent', SELLER_AGENT)]: [SELLER] })
  })
})

/** The wallets that a payer has signed for, in memory. */
function payeesOf(kept: Record<string, string[]>) {
  const knownPayees: KnownPayees = {
    of: (seller) => kept[seller] ?? [],
    add: (seller, payee) => {
      kept[seller] = [...(kept[seller] ?? []), payee]
    },
  }
  return { kept, knownPayees }
}

describe('a wallet that signs a settlement where it is a party', () => {
  const held = { status: 'held', amount: '20.000000', payer: PAYER.address, nonce: `0x${'ab'.repeat(32)}` }
  const hold = { ...held, payee: SELLER, holder: ESCROW, fee_bps: 500 }
  const order = { urn: { prefix: 'order', body: ORDER }, escrow_mode: 'contract', hold } as unknown as SettledOrder
  const handedOver = async (signer: Address, changes: object | null = {}) => {
    const calls: unknown[] = []
    const client = { call: async (...call: unknown[]) => calls.push(call) } as unknown as Pick<Market, 'call'>
    const of = { ...order, hold: changes && { ...hold, ...changes } } as SettledOrder
    const wallet = { address: signer, signTypedData: async () => '0x5167' as const }
    await signAsParty(client, wallet, of, market, { refund: '5.000000', nowSeconds: NOW, validSeconds: 60 })
    return calls
  }

  it('hands its signature over as the payer, or as whom the hold pays', async () => {
    for (const wallet of [PAYER.address, SELLER]) {
      const body = { refund: '5.000000', payee: SELLER, wallet, signature: '0x5167', valid_before: NOW + 60 }
      const call = ['signSettlement', { params: { urn: `market:order:${ORDER}` }, body }]
      expect(await handedOver(wallet)).to.deep.equal([call])
    }
    expect(await handedOver(PAYER.address, { payee: null })).to.have.length(1)
    expect(await handedOver(SELLER, { payee: null, paid_to: SELLER })).to.have.length(1)
  })

  it('does nothing as anybody else, nor where nothing is held', async () => {
    expect(await handedOver(THIEF)).to.deep.equal([])
    expect(await handedOver(SELLER, { payee: null })).to.deep.equal([])
    expect(await handedOver(PAYER.address, { status: 'released' })).to.deep.equal([])
    expect(await handedOver(PAYER.address, null)).to.deep.equal([])
  })
})

describe('an appellant who signs what a 402 asks for', () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const appeal = { disputeId: ORDER, appellantId: SELLER_AGENT }
  const wanted: AppealIntent = {
    dispute: { prefix: 'dispute', body: ORDER },
    appellant: { prefix: 'agent', body: SELLER_AGENT },
    maxFee: '1.000000',
    windowSeconds: DAY,
    nowSeconds: NOW,
  }
  const offered: AppealOffer = {
    token: TOKEN,
    network: 'eip155:8453',
    amount: '1.000000',
    recipient: HOT_WALLET,
    nonce: appealFeeNonce(market, appealKey(appeal), 1_000_000n),
    valid_after: time(NOW - 600),
    valid_before: time(NOW + DAY),
  }
  const fault = async (changes: Partial<AppealOffer>, of: Partial<AppealIntent> = {}) => {
    const signed = signedAppealFee({ ...offered, ...changes }, account, market, { ...wanted, ...of })
    return signed.then(
      () => undefined,
      (error: OfferRefused) => error.fault,
    )
  }

  it('signs the fee of its own appeal, and nothing else', async () => {
    expect(await fault({})).to.equal(undefined)
    expect(await fault({ network: 'eip155:1' })).to.equal('network')
    expect(await fault({ token: THIEF })).to.equal('token')
    expect(await fault({ recipient: THIEF })).to.equal('recipient')
    expect(await fault({ amount: '1.000001' })).to.equal('amount')
    expect(await fault({ valid_before: time(NOW + 2 * DAY) })).to.equal('validity')
    expect(await fault({ nonce: custodiedOffer().nonce })).to.equal('nonce')
    expect(await fault({}, { appellant: { prefix: 'agent', body: OWNER } })).to.equal('nonce')
  })

  it('refuses each member that is another, of the offer and of what was intended', async () => {
    const answers = {
      ...{ token: 'token', network: 'network', recipient: 'recipient', nonce: 'nonce', amount: 'nonce' },
      ...{ valid_after: undefined, valid_before: undefined },
    }
    await expectEachMember(offered, answers, (offer) => fault(offer))
    const intended = {
      ...{ 'dispute.prefix': 'order', 'dispute.body': 'nonce', 'appellant.prefix': 'order', 'appellant.body': 'nonce' },
      ...{ maxFee: 'amount', windowSeconds: undefined, nowSeconds: undefined },
    }
    await expectEachMember(wanted, intended, (of) => fault({}, of))
  })
})
