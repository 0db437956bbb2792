import { describe } from 'node:test'
import { expect } from 'chai'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createMarket } from '../../../sdk/market.ts'
import { ApiProblem } from '../../../sdk/problem.ts'
import { bindWallet } from '../../../sdk/wallet.ts'
import { eventTypes, untilStray } from '../../e2e/books.ts'
import { type Meet, meeting } from '../../e2e/meeting.ts'
import { claimableOf, escrowCall, execute, stranger, termsOf } from '../../e2e/onchain.ts'
import {
  accept,
  cancel,
  createParties,
  createTrader,
  deliver,
  fund,
  MODES,
  type Parties,
  type Placed,
  PRICE_MICROS,
  place,
  readOrder,
  SELLER_NET_MICROS,
  signTransferFor,
  untilOrder,
  untilSettled,
  untilThere,
  type Wanted,
} from '../../e2e/trading.ts'
import { balanceOf } from '../../kit/chain/custody.ts'
import { signTransfer } from '../../kit/chain/payments.ts'
import { submission } from '../../kit/chain/sequence.ts'
import type { Stack } from '../../kit/stack/stack.ts'
import { type Arena, passStrayDelay } from '../attacks/arena.ts'

const HOUR = 3600
// Longer than a slow machine takes to bring every trade to where its window begins.
const MARGIN = 600
const MONTH = 30 * 24 * HOUR

/** What time does. It moves the clock of the stack. */
export function passingTime(arena: () => Arena): void {
  const stackOf = () => arena().stack
  describe('what time does', () => {
    whenWindowsEnd(arena)
    whenMonthsPass(stackOf)
  })
}

function whenWindowsEnd(arena: () => Arena): void {
  const stackOf = () => arena().stack
  describe('when windows of an hour end', { concurrency: true }, () => {
    const windows = meeting([
      () => advance(stackOf(), HOUR - MARGIN),
      () => advance(stackOf(), 2 * MARGIN),
      () => advance(stackOf(), 60),
      () => passStrayDelay(arena()),
    ])
    /** A payment to the hot wallet has been returned by now; one to the escrow after the contract's delay. */
    const untilReturned = async (meet: Meet, payer: Address, { recipient, nonce }: Placed['offer']) => {
      const { stack } = arena()
      const isReturned = () => untilStray(stack, { payer, nonce }, 'returned')
      if (!isAddressEqual(recipient, stack.chain.escrow)) return isReturned()
      await untilStray(stack, { payer, nonce }, 'returning')
      await meet()
      await meet()
      return isReturned()
    }
    const untilEnd = async (meet: Meet) => {
      await meet()
      await meet()
    }

    for (const mode of MODES) {
      windows.it(`a delivery that nobody decides on is accepted when the window ends (${mode})`, async (meet) => {
        const stack = stackOf()
        const parties = await createParties(stack)
        const urn = await delivered(stack, parties, { mode, auto_accept_seconds: HOUR })
        await meet()
        expect((await readOrder(parties.buyer, urn)).state).to.equal('delivered')
        await meet()
        expect((await untilSettled(parties.buyer, urn)).state).to.equal('final')
        expect(await eventTypes(stack, urn)).to.include.members(['order.accepted', 'receipt.finalized'])
        expect(await eventTypes(stack, urn)).to.satisfy(isOnceEach)
      })

      windows.it(`an order that nobody pays is cancelled when its offer ends (${mode})`, async (meet) => {
        const stack = stackOf()
        const parties = await createParties(stack)
        const { urn, offer } = await place(parties, { mode })
        await litter(stack, parties, offer)
        await untilEnd(meet)
        const order = await untilOrder(parties.buyer, urn, 'cancelled')
        expect(order).to.include({ reason: 'unpaid', hold: null })
        const late = await signTransferFor(stack, offer, parties.buyer.account)
        expect(await statusOf(fund(parties.buyer, urn, late))).to.equal(409)
      })

      windows.it(
        `a payment that waited for its buyer to claim it goes back when the offer ends (${mode})`,
        async (meet) => {
          const stack = stackOf()
          const parties = { seller: await createTrader(stack), buyer: await createTrader(stack, { isVerified: false }) }
          const { account } = parties.buyer
          const { urn, offer } = await place(parties, { mode })
          const before = await balanceOf(stack.chain, account.address)
          await execute(
            stack,
            await stranger(stack),
            submission(stack.chain, await signTransferFor(stack, offer, account)),
          )
          await untilStray(stack, { payer: account.address, nonce: offer.nonce }, 'waiting')
          await untilEnd(meet)
          await untilOrder(parties.buyer, urn, 'cancelled')
          await untilReturned(meet, account.address, offer)
          expect(await balanceOf(stack.chain, account.address)).to.equal(before)
        },
      )

      windows.it(
        `a seller who is late is said to be, once, and the buyer may call the order off (${mode})`,
        async (meet) => {
          const stack = stackOf()
          const parties = await createParties(stack)
          const { buyer } = parties
          const before = await balanceOf(stack.chain, buyer.account.address)
          const urn = await funded(stack, parties, { mode, sla_seconds: HOUR })
          expect(await statusOf(cancel(buyer, urn))).to.equal(409)
          await untilEnd(meet)
          const isBreached = (types: string[]) => types.includes('sla.breached')
          await untilThere('the breach is told', () => eventTypes(stack, urn), isBreached)
          await meet()
          await cancel(buyer, urn)
          await untilSettled(buyer, urn)
          expect(await eventTypes(stack, urn)).to.satisfy(isOnceEach)
          if (mode === 'custodied') expect(await balanceOf(stack.chain, buyer.account.address)).to.equal(before)
        },
      )
    }
  })
}

function whenMonthsPass(stackOf: () => Stack): void {
  describe('when months pass', { concurrency: true }, () => {
    const months = meeting([() => advance(stackOf(), MONTH), () => advance(stackOf(), 6 * MONTH)])

    months.it('a seller without a wallet is paid by itself once it has verified one', async (meet) => {
      const stack = stackOf()
      const parties = { buyer: await createTrader(stack), seller: await createTrader(stack, { isVerified: false }) }
      const { buyer, seller } = parties
      const before = await balanceOf(stack.chain, seller.account.address)
      const urn = await delivered(stack, parties, { mode: 'custodied' })
      await accept(buyer, urn)
      await untilThere(
        'the payout is blocked',
        () => eventTypes(stack, urn),
        (types) => types.includes('payout.blocked'),
      )
      expect((await readOrder(buyer, urn)).state).to.equal('final')
      await meet()
      expect(await balanceOf(stack.chain, seller.account.address)).to.equal(before)
      await bindWallet(seller.client, seller.account)
      await untilSettled(buyer, urn)
      expect(await balanceOf(stack.chain, seller.account.address)).to.equal(before + SELLER_NET_MICROS)
      expect(await eventTypes(stack, urn)).to.satisfy(isOnceEach)
    })

    months.it("a wallet of the seller's owner serves as well", async () => {
      const stack = stackOf()
      const parties = { buyer: await createTrader(stack), seller: await createTrader(stack, { isVerified: false }) }
      const { buyer, seller } = parties
      const before = await balanceOf(stack.chain, seller.account.address)
      const urn = await delivered(stack, parties, { mode: 'custodied' })
      await accept(buyer, urn)
      await untilThere(
        'the payout is blocked',
        () => eventTypes(stack, urn),
        (types) => types.includes('payout.blocked'),
      )
      await bindWallet(seller.human, seller.account)
      await untilSettled(buyer, urn)
      expect(await balanceOf(stack.chain, seller.account.address)).to.equal(before + SELLER_NET_MICROS)
    })

    months.it('a payer who reclaims an expired hold ends its order as refunded', async (meet) => {
      const stack = stackOf()
      const parties = await createParties(stack)
      const { account } = parties.buyer
      const { id, urn, offer } = await place(parties, { mode: 'contract' })
      await fund(parties.buyer, urn, await signTransferFor(stack, offer, account))
      await untilOrder(parties.buyer, urn, 'funded')
      await meet()
      await meet()
      await execute(stack, account, escrowCall(stack, 'reclaim', await termsOf(stack, id)))
      expect((await untilSettled(parties.buyer, urn)).state).to.equal('cancelled')
      expect(await claimableOf(stack, account.address)).to.equal(PRICE_MICROS)
      expect(await eventTypes(stack, urn)).to.satisfy(isOnceEach)
    })
  })
}

async function advance(stack: Stack, seconds: number): Promise<void> {
  const operator = createMarket({ baseUrl: stack.baseUrl, token: stack.credentials.operator_token })
  await operator.call('advanceSandboxClock', { body: { seconds } })
}

async function funded(stack: Stack, parties: Parties, wanted: Wanted): Promise<string> {
  const { urn, offer } = await place(parties, wanted)
  await fund(parties.buyer, urn, await signTransferFor(stack, offer, parties.buyer.account))
  await untilOrder(parties.buyer, urn, 'funded')
  return urn
}

async function delivered(stack: Stack, parties: Parties, wanted: Wanted): Promise<string> {
  const urn = await funded(stack, parties, wanted)
  await deliver(parties.seller, await readOrder(parties.seller, urn))
  return urn
}

/** What a stranger can put on chain under an order's nonce to make it look paid: nothing, and too little. */
async function litter(
  stack: Stack,
  { seller }: Parties,
  { recipient: to, nonce }: { recipient: Address; nonce: Hex },
): Promise<void> {
  const { account } = seller
  const other = privateKeyToAccount(generatePrivateKey())
  await execute(
    stack,
    account,
    submission(stack.chain, await signTransfer(stack.chain, other, { to, nonce, value: 0n })),
  )
  await execute(
    stack,
    account,
    submission(stack.chain, await signTransfer(stack.chain, account, { to, nonce, value: 1n })),
  )
}

function isOnceEach(types: readonly string[]): boolean {
  return new Set(types).size === types.length
}

/** What a call was refused with; 0 when it was not. */
async function statusOf(call: Promise<unknown>): Promise<number> {
  return call.then(
    () => 0,
    (error: unknown) => {
      if (error instanceof ApiProblem) return error.status
      throw error
    },
  )
}
