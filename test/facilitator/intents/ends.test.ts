import { describe, it } from 'node:test'
import { expect } from 'chai'
import { type Address, type Hex, padHex, toHex } from 'viem'
import type { Decision } from '../../../facilitator/context/decision.ts'
import type { Pass } from '../../../facilitator/evidence/pass.ts'
import { decideDeposit } from '../../../facilitator/intents/deposit.ts'
import { decideAdopt } from '../../../facilitator/intents/internal/adopt.ts'
import { decidePayout } from '../../../facilitator/intents/internal/payout.ts'
import { decideRelease } from '../../../facilitator/intents/internal/release.ts'
import { decideReturnStray } from '../../../facilitator/intents/internal/returnStray.ts'
import { decideSweep } from '../../../facilitator/intents/internal/sweep.ts'
import { termsHash } from '../../../protocol/payments/terms.ts'

const account = (seed: number): Address => padHex(toHex(seed), { size: 20 })
const hash = (seed: number): Hex => padHex(toHex(seed), { size: 32 })
const NOW = 1_800_000_000n
const HOT_WALLET = account(0xa)
const block = { number: 9n, hash: hash(9), timestamp: NOW }
/** A chain on which no authorization was spent. */
const pass = {
  at: { chainId: 1, hotWallet: HOT_WALLET, token: account(7) },
  head: { latest: { ...block, timestamp: NOW + 60n }, confirmed: block },
  client: { readContract: async () => false },
  walletFactories: [],
  limits: { maxPayoutMicros: 50n, x402MaxMicros: 100n },
} as unknown as Pass

describe('a deposit whose call the chain refuses', () => {
  it('has failed once its authorization is over at confirmed depth, and not before', async () => {
    const explained = async (validBefore: bigint) => {
      const authorization = {
        ...{ from: account(3), to: HOT_WALLET, value: 1n, validAfter: 0n, validBefore, nonce: hash(1) },
        signature: `0x${'11'.repeat(65)}` as Hex,
      }
      const decision = await decideDeposit(pass, { kind: 'deposit', authorization })
      if (decision.kind !== 'send') throw new Error('it is not sent')
      const ending = await decision.call.explain?.()
      return ending && 'outcome' in ending ? ending.outcome.reason : undefined
    }
    expect(await explained(NOW - 1n)).to.equal('authorization_expired')
    expect(await explained(NOW)).to.equal('authorization_expired')
    expect(await explained(NOW + 1n)).to.equal(undefined)
  })
})

describe('what the chain has done at its newest block and may still undo', () => {
  const at = { chainId: 1, hotWallet: HOT_WALLET, token: account(7), escrow: account(8) }
  const seen = (latest: unknown, confirmed: unknown) => {
    const readContract = async ({ blockHash }: { blockHash: Hex }) => (blockHash === block.hash ? confirmed : latest)
    return {
      ...{ ...pass, at, client: { readContract } },
      head: { latest: { ...block, number: 10n, hash: hash(10) }, confirmed: block },
      store: { arePayoutsStopped: async () => false },
      reserve: { coldWallet: account(6), ceilingMicros: 1n },
    } as unknown as Pass
  }
  const [none, held, released, reclaimed, returned] = [0, 1, 2, 3, 4]
  const terms = {
    ...{ order: hash(1), payee: account(4), amount: 1n, feeRecipient: account(5), feeBps: 0 },
    ...{ fundBy: 1, expiry: 2 },
  }
  const payment = { from: account(3), nonce: termsHash(at, terms), amount: 1n, txHash: hash(5) }
  const paid = { terms, payer: account(3), recipients: [account(4)], amounts: [1n] }
  const release = { kind: 'release' as const, ...paid }
  const payout = { kind: 'payout', deposit: payment, leg: 'payer', to: account(3), amount: 1n } as const
  const authorization = {
    ...{ from: account(3), to: HOT_WALLET, value: 1n, validAfter: 0n, validBefore: NOW + 1n, nonce: hash(1) },
    signature: `0x${'11'.repeat(65)}` as Hex,
  }
  const cases: [string, () => Promise<Decision>, string][] = [
    ['a release', () => decideRelease(seen(released, held), release), 'release_not_final'],
    ['a hold that was reclaimed', () => decideRelease(seen(reclaimed, held), release), 'reclaim_not_final'],
    ['a payout', () => decidePayout(seen(true, false), payout), 'payout_not_final'],
    ['a sweep', () => decideSweep(seen(true, false), { kind: 'sweep', sequence: 1n, amount: 1n }), 'sweep_not_final'],
    [
      'a deposit',
      () => decideDeposit(seen(true, false), { kind: 'deposit', authorization }),
      'authorization_not_final',
    ],
    ['an adoption', () => decideAdopt(seen(held, none), { kind: 'adopt', terms, payment }, true), 'hold_not_final'],
    [
      'a return',
      () => decideReturnStray(seen(returned, none), { kind: 'return_stray', payment }, true),
      'hold_not_final',
    ],
  ]
  for (const [what, decide, reason] of cases) {
    it(`ends no intent: ${what}`, async () => {
      const decision = await decide()
      const ending = decision.kind === 'send' ? await decision.call.explain?.() : decision
      expect(ending).to.deep.equal({ kind: 'wait', reason })
    })
  }
})

describe('a payout to the seller of a deposit whose nonce names nobody', () => {
  const reasonOf = async (deposit: bigint, amount = 1n) => {
    const payment = { from: account(3), nonce: hash(0x99), amount: deposit, txHash: hash(5) }
    const sale = { orderId: 'a', agentId: 'b', ownerId: 'c' }
    const payout = { kind: 'payout', deposit: payment, leg: 'payee', to: account(4), amount, sale } as const
    const decision = await decidePayout(pass, payout)
    return 'outcome' in decision ? decision.outcome.reason : decision.kind
  }

  it('is believed up to the most that a stock client may pay, and is within the limit of a payout', async () => {
    // What is believed of whom it pays still needs the binding of the wallet.
    const [believed, unsigned] = ['binding_invalid', 'seller_unsigned']
    expect(await Promise.all([99n, 100n, 101n].map((deposit) => reasonOf(deposit)))).to.deep.equal([
      ...[believed, believed, unsigned],
    ])
    expect(await Promise.all([49n, 50n, 51n].map((amount) => reasonOf(100n, amount)))).to.deep.equal([
      ...[believed, believed, 'payout_limit'],
    ])
    expect(await reasonOf(100n, 0n)).to.equal('amount_zero')
  })
})
