import { before, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { decodeFunctionData, getAddress, zeroAddress } from 'viem'
import { expectedStep, stepsOf } from '../../console/pages/trade/order/internal/steps.ts'
import { refundOf, standing } from '../../console/pages/trade/order/outcome/internal/proposals.ts'
import type { OrderBody } from '../../console/pages/trade/order/record/order.ts'
import { newId } from '../../protocol/encoding/ids.ts'
import { urn, urnString } from '../../protocol/encoding/urn.ts'
import { escrowWays } from '../../sdk/escrow.ts'
import { openPage } from '../kit/console/page.ts'

const page = openPage()
const address = (digit: string) => getAddress(`0x${digit.repeat(40)}`)
const [PAYER, PAYEE, OTHER, ESCROW] = [address('2'), address('3'), address('4'), address('5')]
const CONFIG = {
  chain_id: 31_337,
  escrow_contract: ESCROW,
  hot_wallet: address('6'),
  fee_recipient: address('7'),
  token: { address: address('1'), eip712_domain: { name: 'USDC', version: '2' } },
  rules: { payment_window_seconds: 3_600, hold_seconds: 86_400 },
  sandbox: false,
}
const [ORDER_ID, SELLER_ID] = [newId(), newId()]
const ORDER = {
  urn: urn('order', ORDER_ID),
  escrow_mode: 'contract',
  hold: {
    status: 'held',
    amount: '20.000000',
    payer: PAYER,
    nonce: `0x${'7e'.repeat(32)}`,
    payee: PAYEE,
    holder: ESCROW,
    fee_bps: 500,
  },
}
const SIGNATURE = `0x${'11'.repeat(65)}`
const ORDER_URN = urnString('order', ORDER_ID)

let accounts: string[] = []
const asked: { method: string; params: readonly unknown[] }[] = []
page.addWallet((method, params) => {
  if (method === 'eth_accounts') return accounts
  if (method === 'eth_chainId') return '0x7a69'
  if (method === 'eth_getTransactionReceipt') return { status: '0x1' }
  asked.push({ method, params })
  return SIGNATURE
})

beforeEach(() => {
  page.storage.clear()
  page.answers.clear()
  page.answers.set('/v1/config/public', CONFIG)
  page.answers.set(`/v1/orders/${ORDER_URN}`, ORDER)
  page.sent.length = 0
  asked.length = 0
  accounts = [PAYER]
})

/** What is thrown, as text. */
const refusal = (work: Promise<unknown>) => work.then(() => 'nothing', String)

describe('the contracts that a browser pays to', () => {
  let trustedMarket: typeof import('../../console/data/storage/trusted.ts')['trustedMarket']
  before(async () => {
    ;({ trustedMarket } = await import('../../console/data/storage/trusted.ts'))
  })

  const OTHERS = {
    chainId: { chain_id: 1 },
    token: { token: { ...CONFIG.token, address: OTHER } },
    escrow: { escrow_contract: OTHER },
    hotWallet: { hot_wallet: OTHER },
    feeRecipient: { fee_recipient: OTHER },
  }

  it('are those that it read first, and nothing is signed for others', async () => {
    const first = await trustedMarket()
    expect(first).to.include({ chainId: 31_337, escrow: ESCROW, hotWallet: address('6'), feeRecipient: address('7') })
    expect(await trustedMarket()).to.deep.equal(first)
    for (const [name, other] of Object.entries(OTHERS)) {
      page.answers.set('/v1/config/public', { ...CONFIG, ...other })
      for (const _again of [1, 2]) expect(await refusal(trustedMarket())).to.include(`(${name}). Nothing was signed`)
    }
    page.answers.set('/v1/config/public', CONFIG)
    expect(await trustedMarket()).to.deep.equal(first)
  })

  it('are the present ones in a sandbox, which is made anew', async () => {
    await trustedMarket()
    page.answers.set('/v1/config/public', { ...CONFIG, ...OTHERS.escrow, sandbox: true })
    expect((await trustedMarket()).escrow).to.equal(OTHER)
  })
})

describe('the signature for what becomes of an order’s money', () => {
  let signOutcome: typeof import('../../console/pages/trade/order/outcome/internal/signOutcome.ts')['signOutcome']
  before(async () => {
    ;({ signOutcome } = await import('../../console/pages/trade/order/outcome/internal/signOutcome.ts'))
  })

  const sign = (side: 'buyer' | 'seller', refund: string, signal = new AbortController().signal, onAsk = () => {}) =>
    signOutcome(ORDER_URN, { side, agent: urnString('agent', newId()) }, refund, { signal, onAsk })
  const signedBy = () => asked.map(({ method, params }) => [method, params[0]])

  for (const [side, refund, back, payment] of [
    ['buyer', '0.000000', '0', '19000000'],
    ['buyer', '5.000000', '5000000', '14250000'],
    ['seller', 'all', '20000000', '0'],
  ] as const)
    it(`names the parties and the amounts: ${side}, ${refund} back`, async () => {
      accounts = [OTHER, side === 'buyer' ? PAYER : PAYEE]
      await sign(side, refund)
      const { domain, message } = JSON.parse(String(asked[0]?.params[1]))
      expect(domain).to.include({ chainId: 31_337, verifyingContract: ESCROW })
      expect(message).to.include({ order: ORDER_URN, payer: PAYER, payee: PAYEE, nonce: ORDER.hold.nonce })
      expect(message).to.include({ amount: '20000000', refund: back, payment })
      expect(signedBy()).to.deep.equal([['eth_signTypedData_v4', accounts[1]]])
      const [{ body } = { body: {} }] = page.sent
      expect(page.sent).to.have.length(1)
      const wire = refund === 'all' ? '20.000000' : refund
      expect(body).to.include({ refund: wire, payee: PAYEE, wallet: accounts[1], signature: SIGNATURE })
    })

  it('is asked of nobody where this side gets all, or nothing is held', async () => {
    await sign('buyer', 'all')
    accounts = [PAYEE]
    await sign('seller', '0.000000')
    for (const hold of [null, { ...ORDER.hold, status: 'released' }]) {
      page.answers.set(`/v1/orders/${ORDER_URN}`, { ...ORDER, hold })
      await sign('seller', 'all')
    }
    expect([asked, page.sent]).to.deep.equal([[], []])
  })

  it('is made by the wallet of this side alone, and over the contracts that the browser knows', async () => {
    accounts = [OTHER, PAYEE]
    expect(await refusal(sign('buyer', '0.000000'))).to.include('not connected')
    accounts = [OTHER, PAYER]
    expect(await refusal(sign('seller', 'all'))).to.include('not connected')
    page.answers.set(`/v1/orders/${ORDER_URN}`, { ...ORDER, hold: { ...ORDER.hold, holder: OTHER } })
    expect(await refusal(sign('buyer', '0.000000'))).to.include(`held by ${OTHER}`)
    page.answers.set(`/v1/orders/${ORDER_URN}`, ORDER)
    page.answers.set('/v1/config/public', { ...CONFIG, fee_recipient: OTHER })
    expect(await refusal(sign('buyer', '0.000000'))).to.include('Nothing was signed')
    expect([asked, page.sent]).to.deep.equal([[], []])
  })

  it('pays the seller to no other wallet than before until the buyer agrees, and asks that of no seller', async () => {
    const inCustody = (paid_to: string) => ({
      ...{ ...ORDER, seller_urn: urn('agent', SELLER_ID), escrow_mode: 'custodied' },
      hold: { ...ORDER.hold, payee: null, paid_to, holder: CONFIG.hot_wallet },
    })
    page.answers.set(`/v1/orders/${ORDER_URN}`, inCustody(PAYEE))
    await sign('buyer', '0.000000')
    page.answers.set(`/v1/orders/${ORDER_URN}`, inCustody(OTHER))
    expect(await refusal(sign('buyer', '0.000000'))).to.include('PayeeChanged')
    expect(page.sent).to.have.length(1)
    page.answers.set('/v1/me/wallets', { wallets: [{ address: OTHER }] })
    accounts = [OTHER]
    await sign('seller', '5.000000')
    expect(page.sent).to.have.length(2)
  })

  it('is not sent where the person has gone on without it', async () => {
    const skip = new AbortController()
    expect(await refusal(sign('buyer', '0.000000', skip.signal, () => skip.abort()))).to.include('AbortError')
    expect([signedBy().length, page.sent]).to.deep.equal([1, []])
  })
})

describe('a withdrawal from the contract', () => {
  let withdrawFrom: typeof import('../../console/pages/account/wallets/internal/withdrawFrom.ts')['withdrawFrom']
  before(async () => {
    ;({ withdrawFrom } = await import('../../console/pages/account/wallets/internal/withdrawFrom.ts'))
  })

  const LOCATION = { chainId: 31_337, escrow: ESCROW, token: CONFIG.token.address }
  const withdraw = async (to: string) => {
    const { connectedWallet } = await import('../../console/wallet/wallets.ts')
    const wallet = await connectedWallet([PAYER])
    if (!wallet) throw new Error('there is no wallet')
    return withdrawFrom(wallet, LOCATION, to)
  }

  it('goes to the wallet itself, or to the address that was typed', async () => {
    const typed = getAddress('0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed')
    for (const to of ['', typed]) await withdraw(to)
    const calls = asked.map(
      ({ params: [sent] }) => sent as { from: string; to: string; value: string; data: `0x${string}` },
    )
    for (const call of calls) expect(call).to.include({ from: PAYER, to: ESCROW, value: '0x0' })
    expect(calls.map(({ data }) => decodeFunctionData({ abi: escrowWays, data }))).to.deep.equal([
      { functionName: 'withdraw', args: undefined },
      { functionName: 'withdrawTo', args: [typed] },
    ])
  })

  it('is not sent to what is no address, or to one from which nobody could take it', async () => {
    const wrongDigit = '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    for (const to of ['0x12', `${OTHER}0`, 'ada.eth', wrongDigit])
      expect(await refusal(withdraw(to))).to.include('not an address')
    for (const to of [zeroAddress, ESCROW, LOCATION.token])
      expect(await refusal(withdraw(to))).to.include('Nothing can be')
    expect(asked).to.deep.equal([])
  })
})

describe('a proposal about an order', () => {
  it('refunds all if it cancels, as much as it says if it divides, and otherwise touches no money', () => {
    const refunds = [
      { kind: 'cancellation_proposal' },
      { kind: 'remedy_proposal', payload: { refund: '5.000000' } },
      { kind: 'scope_change_proposal', payload: { refund: '5.000000' } },
    ].map(refundOf)
    expect(refunds).to.deep.equal(['all', '5.000000', undefined])
  })

  it('can be accepted if it is the newest of its sender and kind, and neither accepted nor out of time', () => {
    const message = (kind: string, sender: string) => ({
      kind,
      urn: urn('message', newId()),
      sender_urn: { body: sender },
    })
    const [older, newer, theirs, accepted] = [
      ...['buyer', 'buyer', 'seller'].map((sender) => message('remedy_proposal', sender)),
      message('cancellation_proposal', 'seller'),
    ]
    const late = message('scope_change_proposal', 'seller')
    const order = {
      may: ['propose_remedy', 'propose_cancellation'],
      amendments: [{ message_urn: accepted?.urn }],
    } as unknown as OrderBody
    const all = [older, newer, theirs, accepted, late] as unknown as Parameters<typeof standing>[1]
    expect(standing(order, all).map((one) => one.urn)).to.deep.equal([newer?.urn, theirs?.urn])
  })
})

describe('the steps of an order', () => {
  const order = (may: string[], more: object = {}) =>
    ({ may, state: 'delivered', sealed: false, escrow_mode: 'custodied', hold: null, ...more }) as unknown as OrderBody

  it('are what the service allows, and the contract where it holds the money', () => {
    expect(stepsOf(order(['read', 'reject', 'accept']))).to.deep.equal(['accept', 'reject'])
    expect(stepsOf(order(['propose_remedy', 'propose_cancellation', 'cancel']))).to.deep.equal(['cancel', 'propose'])
    for (const [escrow_mode, status, steps] of [
      ['contract', 'held', ['accept', 'out']],
      ['contract', 'released', ['accept']],
      ['custodied', 'held', ['accept']],
    ] as const)
      expect(stepsOf(order(['accept'], { escrow_mode, hold: { status } }))).to.deep.equal(steps)
  })

  it('of a sealed order are those that need no sealed message', () => {
    expect(stepsOf(order(['start', 'deliver', 'propose_remedy', 'accept'], { sealed: true }))).to.deep.equal(['accept'])
  })

  it('begin with the expected one, unless that is a way out or there is a dispute', () => {
    for (const [may, step] of [
      [['rate', 'accept'], 'accept'],
      [['cancel', 'fund'], 'pay'],
      [['cancel'], undefined],
      [['propose_remedy'], undefined],
      [[], undefined],
    ] as const)
      expect(expectedStep(order([...may]))).to.equal(step)
    expect(expectedStep(order(['accept'], { state: 'disputed' }))).to.equal(undefined)
  })
})
