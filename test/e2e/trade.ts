import { before, describe, it } from 'node:test'
import { expect } from 'chai'
import { isAddressEqual } from 'viem'
import { MARKET_VERSIONS, type MarketVersion } from '../../api/platform/http/route/versions.ts'
import { urnString } from '../../protocol/encoding/urn.ts'
import { withdrawCall } from '../../sdk/escrow.ts'
import { sendEscrowCall } from '../../sdk/sendCall.ts'
import { bindWallet } from '../../sdk/wallet.ts'
import { deploySignerWallet } from '../kit/api/identity/wallets/signerWallet.ts'
import { balanceOf } from '../kit/chain/custody.ts'
import type { Stack } from '../kit/stack/stack.ts'
import { alarmsOf, auditFindings, eventTypes, receiptOf, untilBooksMatch, untilNothingIsOpen } from './books.ts'
import { completes, FAUCET_MICROS, wealthOf } from './moves.ts'
import { claimableOf } from './onchain.ts'
import {
  createParties,
  createTrader,
  deliver,
  FEE_MICROS,
  fund,
  MODES,
  type Mode,
  marketOf,
  type Order,
  type Parties,
  PRICE_MICROS,
  place,
  readOrder,
  SELLER_NET_MICROS,
  sign,
  untilOrder,
  untilSettled,
} from './trading.ts'

const LIFE = [
  'order.placed',
  'order.funded',
  'order.delivered',
  'receipt.delivered',
  'message.inserted',
  'delivery.notice',
  'order.accepted',
  'receipt.finalized',
]

interface Trade {
  mode: Mode
  parties: Parties
  urn: string
  settled: Order
}

/** Trades of both modes, from the order to the money. */
export function wholeTrades(stackOf: () => Stack): void {
  describe('a whole trade', () => {
    let stack: Stack
    const trades: Trade[] = []

    before(async () => {
      stack = stackOf()
    })

    describe('runs from the order to the money', { concurrency: true }, () => {
      for (const mode of MODES) {
        for (const version of MARKET_VERSIONS) {
          it(`in ${mode} mode, in version ${version}`, async () => {
            trades.push(await trade(stack, mode, version))
          })
        }
      }
    })

    it('leaves the seller 19.000000 of 20, on chain and on the receipt', async () => {
      for (const { mode, parties, urn } of trades) {
        const { seller } = parties
        const before = await balanceOf(stack.chain, seller.account.address)
        if (mode === 'contract') {
          expect(await claimableOf(stack, seller.account.address)).to.equal(SELLER_NET_MICROS)
          await sendEscrowCall({ rpcUrl: stack.rpcUrl, account: seller.account }, withdrawCall(marketOf(stack)))
          expect(await balanceOf(stack.chain, seller.account.address)).to.equal(before + SELLER_NET_MICROS)
        } else {
          expect(before).to.equal(FAUCET_MICROS + SELLER_NET_MICROS)
        }
        const { document } = await receiptOf(seller, urn)
        expect(document).to.include({ price: '20.000000', refunded: '0.000000', market_fee: '1.000000' })
        expect(document).to.include({ seller_net: '19.000000', escrow_mode: mode })
      }
    })

    it('leaves the service 1.000000 of each, and nobody anything else', async () => {
      const balances = await untilBooksMatch(stack)
      const ofMode = (mode: Mode) => BigInt(trades.filter((done) => done.mode === mode).length)
      const { feeRecipient, hotWallet } = stack.chain.accounts
      expect(await claimableOf(stack, feeRecipient.address)).to.equal(FEE_MICROS * ofMode('contract'))
      expect(await balanceOf(stack.chain, hotWallet.address)).to.equal(FEE_MICROS * ofMode('custodied'))
      expect(balances).to.deep.equal([
        { kind: 'claimable', owner: feeRecipient.address.toLowerCase(), micros: FEE_MICROS * ofMode('contract') },
        { kind: 'escrow_contract', owner: stack.chain.escrow.toLowerCase(), micros: -FEE_MICROS * ofMode('contract') },
        { kind: 'fees', owner: 'service', micros: FEE_MICROS * ofMode('custodied') },
        { kind: 'hot_wallet', owner: hotWallet.address.toLowerCase(), micros: -FEE_MICROS * ofMode('custodied') },
      ])
    })

    it('tells of each step once, in order', async () => {
      for (const { mode, urn } of trades) {
        const paidOut = mode === 'custodied' ? ['payout.executed'] : []
        expect(await eventTypes(stack, urn)).to.deep.equal([...LIFE, ...paidOut])
      }
    })

    it('passes the audit of its chain data and receipts', async () => {
      for (const { parties, urn } of trades) expect(await auditFindings(stack, parties.seller, [urn])).to.deep.equal([])
    })

    leavesBooksThatMatch(stackOf)
  })
}

/** Trades of the least and the greatest prices, and between contract wallets. */
export function unusualTrades(stackOf: () => Stack): void {
  describe('an unusual trade', () => {
    let stack: Stack

    before(() => {
      stack = stackOf()
    })

    describe('can be', { concurrency: true }, () => {
      for (const mode of MODES) {
        for (const [price, netMicros, feeMicros] of [
          ['0.000001', 1n, 0n],
          ['0.000020', 19n, 1n],
          ['100000.000000', 95_000_000_000n, 5_000_000_000n],
        ] as const) {
          it(`of ${price}, in ${mode} mode`, async () => {
            const parties = await createParties(stack)
            const { buyer, seller } = parties
            const { urn, offer } = await place(parties, { mode, price })
            await fund(buyer, urn, await sign(stack, offer, buyer.account))
            await completes(parties, urn)
            expect(await wealthOf(stack, seller.account.address)).to.equal(FAUCET_MICROS + netMicros)
            expect(await wealthOf(stack, buyer.account.address)).to.equal(FAUCET_MICROS - netMicros - feeMicros)
          })
        }
      }

      it('between contract wallets, in either mode', async () => {
        const trades = []
        for (const mode of MODES) {
          const [buyer, seller] = [await createWithContractWallet(stack), await createWithContractWallet(stack)]
          trades.push({ mode, buyer, seller })
        }
        await Promise.all(trades.map((trade) => tradeBetweenWallets(stack, trade)))
      })
    })

    leavesBooksThatMatch(stackOf)
  })
}

function leavesBooksThatMatch(stackOf: () => Stack): void {
  it('leaves books that match the chain', async () => {
    const stack = stackOf()
    await untilNothingIsOpen(stack)
    await untilBooksMatch(stack)
    expect(await auditFindings(stack, await createTrader(stack))).to.deep.equal([])
    expect(alarmsOf(stack)).to.deep.equal([])
  })
}

async function trade(stack: Stack, mode: Mode, version: MarketVersion): Promise<Trade> {
  const parties = spokenIn(version, await createParties(stack))
  const { buyer, seller } = parties
  const { urn, offer } = await place(parties, { mode })
  expect(offer).to.include({ amount: '20.000000', escrow_mode: mode, network: `eip155:${stack.chain.chainId}` })
  const recipient = mode === 'contract' ? stack.chain.escrow : stack.chain.accounts.hotWallet.address
  expect(isAddressEqual(offer.recipient, recipient)).to.equal(true)
  const before = await balanceOf(stack.chain, buyer.account.address)
  expect((await fund(buyer, urn, await sign(stack, offer, buyer.account))).state).to.equal('placed')
  const funded = await untilOrder(buyer, urn, 'funded')
  expect(await balanceOf(stack.chain, buyer.account.address)).to.equal(before - PRICE_MICROS)
  expect(funded.hold).to.include({ status: 'held', amount: '20.000000', payer: buyer.account.address })
  await deliver(seller, funded)
  expect((await readOrder(buyer, urn)).state).to.equal('delivered')
  await takeDelivery(parties, version, funded)
  const settled = await untilSettled(buyer, urn)
  expect(settled.state).to.equal('final')
  expect(settled.hold?.status).to.equal('released')
  return { mode, parties, urn, settled }
}

function spokenIn(version: MarketVersion, { buyer, seller }: Parties): Parties {
  if (version === '2026-05-17') return { buyer, seller }
  return { buyer: { ...buyer, client: buyer.older }, seller: { ...seller, client: seller.older } }
}

/** The buyer accepts, in the words of the version. */
async function takeDelivery({ buyer }: Parties, version: MarketVersion, order: Order): Promise<void> {
  if (version === '2026-05-17') {
    await buyer.client.call('acceptOrder', { params: { urn: urnString('order', order.urn.body) } })
  } else {
    const urn = urnString('receipt', order.receipt_urn?.body ?? '')
    await buyer.client.call('signReceipt', { params: { urn }, body: { accept: true } })
  }
}

type WithWallet = Awaited<ReturnType<typeof createWithContractWallet>>

async function tradeBetweenWallets(
  stack: Stack,
  { mode, buyer, seller }: { mode: Mode; buyer: WithWallet; seller: WithWallet },
): Promise<void> {
  const parties = { buyer: buyer.trader, seller: seller.trader }
  await buyer.trader.client.call('requestSandboxFunds', { body: { address: buyer.wallet.address } })
  const { urn, offer } = await place(parties, { mode })
  await fund(parties.buyer, urn, await sign(stack, offer, buyer.wallet))
  await completes(parties, urn)
  expect(await wealthOf(stack, buyer.wallet.address)).to.equal(FAUCET_MICROS - PRICE_MICROS)
  expect(await wealthOf(stack, seller.wallet.address)).to.equal(SELLER_NET_MICROS)
}

/** A trader whose wallet is a contract that takes its key's signatures (ERC-1271). */
async function createWithContractWallet(stack: Stack) {
  const trader = await createTrader(stack, { isVerified: false })
  const { account, client } = trader
  const address = await deploySignerWallet(stack.chain, account.address)
  const { signMessage, signTypedData } = account
  const wallet = { address, signMessage, signTypedData }
  await bindWallet(client, wallet)
  return { trader, wallet }
}
