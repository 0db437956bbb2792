import { describe, it } from 'node:test'
import { expect } from 'chai'
import { type Address, type Hex, padHex, toHex } from 'viem'
import type { Deposit } from '../../audit/custody.ts'
import type { Transfer } from '../../audit/history.ts'
import type { Hold } from '../../audit/holds.ts'
import type { Published } from '../../audit/published.ts'
import { leastOwed } from '../../audit/solvency.ts'
import { uncheckedOf, unnamedPayouts } from '../../audit/unchecked.ts'
import { custodiedNonce } from '../../protocol/payments/nonces.ts'

const account = (seed: number): Address => padHex(toHex(seed), { size: 20 })
const hash = (seed: number): Hex => padHex(toHex(seed), { size: 32 })
const PAYER = account(3)
const sale = { orderId: 'a', agentId: 'b', ownerId: 'c' }
const NAMED = custodiedNonce({ chainId: 1, token: account(1), hotWallet: account(2) }, sale, 100n)
const UNNAMED = hash(0x99)

const moved = (blockNumber: bigint, amountMicros: bigint): Transfer => ({
  ...{ from: PAYER, to: account(2), amountMicros, authorizationNonce: null },
  ...{ txHash: hash(Number(blockNumber)), blockNumber, logIndex: 1 },
})
const deposit = (changes: Partial<Deposit> = {}): Deposit => ({
  ...{ transfer: moved(4n, 1_000n), nonce: NAMED, legs: {}, isAppealFee: false, fees: [500] },
  ...changes,
})

describe('the least that deposits leave owed at a block', () => {
  it('counts a deposit from its block on, and a payout from its own, whichever leg it is', () => {
    const legs = { payee: moved(6n, 300n), payer: moved(7n, 200n) }
    const owed = [3n, 4n, 5n, 6n, 7n, 8n].map((block) => leastOwed([deposit({ legs })], block))
    expect(owed).to.deep.equal([0n, 950n, 950n, 650n, 450n, 450n])
  })

  it('is without the highest of the fees that it can have, and never below zero', () => {
    expect(leastOwed([deposit({ fees: [500, 900, 100] })], 9n)).to.equal(910n)
    expect(leastOwed([deposit({ fees: [] })], 9n)).to.equal(1_000n)
    const paidOut = deposit({ legs: { payee: moved(6n, 950n) } })
    const over = deposit({ legs: { payee: moved(6n, 990n) } })
    expect(leastOwed([paidOut, over, deposit()], 9n)).to.equal(950n)
  })

  it('is nothing of the fee of an appeal', () => {
    expect(leastOwed([deposit({ isAppealFee: true })], 9n)).to.equal(0n)
  })
})

describe('what an audit says that it could not check', () => {
  const given = {
    ...{ keys: [{}], fees: { signed: {} }, build: {}, liabilities: [{}], balances: [{}] },
    payouts: [{ leg: 'payee', deposit: { nonce: NAMED } }],
    receipts: [
      { document: { hold_id: null, payer: PAYER, deposit_nonce: NAMED } },
      { document: { hold_id: hash(1), payer: PAYER, deposit_nonce: hash(2) } },
    ],
  } as unknown as Published
  const holds = [{ id: hash(1), ending: {} }, { id: hash(8) }] as Hold[]
  const sold = deposit({ legs: { payee: moved(6n, 950n) } })
  const refunded = deposit({ legs: { payer: moved(6n, 1_000n) } })
  const gaps = (changes: object, deposits: readonly Deposit[] = [sold]) =>
    uncheckedOf({ ...given, ...changes }, holds, deposits)
  const without = (name: keyof Published) => {
    const { [name]: _, ...rest } = given
    return uncheckedOf(rest as Published, holds, [sold])
  }

  it('is nothing where everything was given', () => {
    expect(gaps({})).to.deep.equal([])
    expect(gaps({}, [deposit({ nonce: UNNAMED })])).to.deep.equal([])
  })

  it('is one sentence of each kind of record that was not given, or is empty', () => {
    const sentences = {
      keys: 'No published keys',
      payouts: 'No payout receipts',
      liabilities: 'No signed root',
      balances: 'No balances of owners',
    } as const
    for (const [name, sentence] of Object.entries(sentences)) {
      expect(gaps({ [name]: [] }), name).to.have.length(1)
      expect(gaps({ [name]: [] })[0]).to.include(sentence)
      if (name !== 'keys') expect(without(name as keyof Published)).to.deep.equal(gaps({ [name]: [] }))
    }
    expect(without('build')).to.have.length(1)
    expect(without('build')[0]).to.include('No build of the contract')
  })

  it('is the list of fees, where there was only one rate and something that it could be of', () => {
    expect(gaps({ fees: { feeBps: 500 } })).to.have.length(1)
    expect(gaps({ fees: { feeBps: 500 } })[0]).to.include('No signed list of fees')
    expect(gaps({ fees: { feeBps: 500 } }, [])).to.deep.equal([])
  })

  it('is payouts to sellers alone: who was refunded paid', () => {
    expect(gaps({ payouts: [] }, [refunded])).to.deep.equal([])
    expect(gaps({ payouts: [] }, [sold, refunded])).to.have.length(1)
  })

  it('counts what ended without a receipt, in the contract and in custody, whichever leg was paid', () => {
    const countOf = (deposits: readonly Deposit[], receipts: unknown = []) => gaps({ receipts }, deposits)[0]
    expect(countOf([])).to.include('1 of 1 distributed')
    expect(countOf([sold])).to.include('2 of 2 distributed')
    expect(countOf([refunded, deposit({ nonce: hash(3) })])).to.include('2 of 2 distributed')
    expect(countOf([sold], [given.receipts[0]])).to.include('1 of 2 distributed')
    expect(countOf([sold], [given.receipts[1]])).to.include('1 of 2 distributed')
  })

  it('counts payouts to sellers whom no nonce names, and gives their transactions', () => {
    const payout = (leg: string, nonce: Hex) => ({ leg, deposit: { nonce } })
    const toSellers = [payout('payee', UNNAMED), payout('payee', UNNAMED), payout('payee', NAMED)]
    const payouts = [...toSellers, payout('payer', UNNAMED)]
    expect(gaps({ payouts })).to.have.length(1)
    expect(gaps({ payouts })[0]).to.include('2 payouts are of deposits whose nonce names no seller')
    const stock = deposit({ nonce: UNNAMED, legs: { payee: moved(8n, 950n) } })
    expect(unnamedPayouts([stock, sold, deposit({ nonce: UNNAMED }), refunded])).to.deep.equal([hash(8)])
  })

  it('names each cold wallet without a proof, and each list whose last page is missing', () => {
    const coldWallets = [{ address: account(6) }, { address: account(7), proof: '0x01' }]
    expect(gaps({ coldWallets })).to.have.length(1)
    expect(gaps({ coldWallets })[0]).to.include(account(6))
    const missing = gaps({ cutOff: ['receipts', 'payouts'] })
    expect(missing.map((sentence) => /The last page of the (\w+)/.exec(sentence)?.[1])).to.deep.equal([
      'receipts',
      'payouts',
    ])
  })
})
