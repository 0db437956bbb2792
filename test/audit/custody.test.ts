import { describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { type Address, type Hex, padHex, toHex } from 'viem'
import { auditCustody } from '../../audit/custody.ts'
import type { Transfer } from '../../audit/history.ts'
import type { AuditReport } from '../../audit/report.ts'
import { unnamedPayouts } from '../../audit/unchecked.ts'
import { plainReport, reportText } from '../../cli/user/audit/report.ts'
import { type PayoutLeg, payoutNonce, sweepNonce } from '../../protocol/payments/nonces.ts'
import { splitHold } from '../../protocol/payments/split.ts'

const account = (seed: number): Address => padHex(toHex(seed), { size: 20 })
const hash = (seed: number): Hex => padHex(toHex(seed), { size: 32 })
const at = { chainId: 31337, token: account(1), hotWallet: account(2) }
const FEE_BPS = 500
const RULES = { fees: [{ feeBps: FEE_BPS, fromBlock: 0n, beforeBlock: 1n << 62n }], coldWallets: [account(4)] }
const NOTHING = {
  ...{ payments: 0, distributed: 0, paidInMicros: 0n, heldMicros: 0n, payeeMicros: 0n },
  ...{ payerMicros: 0n, feeMicros: 0n, withdrawnMicros: 0n, balanceMicros: 0n },
}
const EMPTY_REPORT: AuditReport = {
  ...{ ok: true, chainId: at.chainId, fromBlock: 0n, toBlock: 1n, toBlockHash: hash(1) },
  ...{ escrow: account(5), hotWallet: at.hotWallet, token: at.token, contract: NOTHING, custodied: NOTHING },
  ...{ receipts: { checked: 0 }, payouts: { checked: 0 }, liabilities: { roots: 0, balances: 0 } },
  ...{ proofs: [], unnamedPayouts: [], notChecked: [], findings: [] },
}

interface Sketch {
  amountMicros: bigint
  refundMicros: bigint
}

function deposit(seed: number, amountMicros: bigint): Transfer {
  return {
    from: account(1000 + seed),
    to: at.hotWallet,
    amountMicros,
    authorizationNonce: hash(seed),
    txHash: hash(5000 + seed),
    blockNumber: BigInt(seed),
    logIndex: 1,
  }
}

function payout(paid: Transfer, leg: PayoutLeg, to: Address, amountMicros: bigint): Transfer {
  const identity = { from: paid.from, nonce: paid.authorizationNonce ?? '0x' }
  const nonce = payoutNonce(at, identity, leg)
  return {
    ...paid,
    from: at.hotWallet,
    to,
    amountMicros,
    authorizationNonce: nonce,
    blockNumber: paid.blockNumber + 1n,
  }
}

function sound({ amountMicros, refundMicros }: Sketch, seed: number): Transfer[] {
  const paid = deposit(seed, amountMicros)
  const split = splitHold(amountMicros, refundMicros, FEE_BPS)
  return [
    paid,
    ...(split.payerMicros > 0n ? [payout(paid, 'payer', paid.from, split.payerMicros)] : []),
    ...(split.payeeMicros > 0n ? [payout(paid, 'payee', account(3), split.payeeMicros)] : []),
  ]
}

function codesOf(transfers: Transfer[]): string[] {
  return auditCustody({ escrowEvents: [], transfers }, at, RULES).findings.map(({ code }) => code)
}

const sketch = fc
  .tuple(fc.bigInt(20n, 10n ** 12n), fc.bigInt(0n, 10n ** 12n))
  .map(([amountMicros, some]): Sketch => ({ amountMicros, refundMicros: some % (amountMicros + 1n) }))

describe('auditing the hot wallet', () => {
  it('finds nothing in any sound history', () => {
    fc.assert(
      fc.property(fc.array(sketch, { maxLength: 8 }), (trades) => {
        expect(codesOf(trades.flatMap(sound))).to.deep.equal([])
      }),
    )
  })

  it('names any payout whose amount was changed', () => {
    fc.assert(
      fc.property(sketch, fc.bigInt(1n, 10n ** 6n), ({ amountMicros }, more) => {
        const [paid, paidOut] = sound({ amountMicros, refundMicros: 0n }, 1) as [Transfer, Transfer]
        expect(codesOf([paid, { ...paidOut, amountMicros: paidOut.amountMicros + more }])).to.deep.equal([
          'custody/wrong-payout',
        ])
      }),
    )
  })

  it('names an outflow that is no deposit’s payout, with an authorization or without one [risk hot-wallet market-api]', () => {
    const paid = deposit(1, 20_000_000n)
    const theft = { ...payout(paid, 'payee', account(9), 19_000_000n), authorizationNonce: hash(77) }
    expect(codesOf([paid, theft])).to.deep.equal(['custody/unexplained-outflow'])
    expect(codesOf([paid, { ...theft, authorizationNonce: null }])).to.deep.equal(['custody/unexplained-outflow'])
  })

  it('takes sweeps to the cold wallet for what they are, and names one that went elsewhere', () => {
    const paid = deposit(1, 20_000_000n)
    const swept = (sequence: bigint, to: Address): Transfer => ({
      ...payout(paid, 'payee', to, 4_000_000n),
      authorizationNonce: sweepNonce(at, sequence),
    })
    const both = [swept(1n, account(4)), swept(2n, account(4))]
    expect(codesOf([paid, ...both])).to.deep.equal([])
    expect(auditCustody({ escrowEvents: [], transfers: [paid, ...both] }, at, RULES).sweptMicros).to.equal(8_000_000n)
    expect(codesOf([paid, swept(1n, account(9))])).to.deep.equal(['custody/sweep-elsewhere'])
    expect(codesOf([paid, { ...swept(1n, account(4)), authorizationNonce: hash(78) }])).to.deep.equal([
      'custody/unexplained-outflow',
    ])
  })

  it('takes what a cold wallet gives back for no deposit, signed or not, up to what it was sent', () => {
    const paid = deposit(1, 20_000_000n)
    const swept: Transfer = { ...payout(paid, 'payee', account(4), 8_000_000n), authorizationNonce: sweepNonce(at, 1n) }
    const back = (seed: number, amountMicros: bigint): Transfer => ({
      ...deposit(seed, amountMicros),
      from: account(4),
    })
    const depositsOf = (transfers: Transfer[]) =>
      auditCustody({ escrowEvents: [], transfers }, at, RULES).deposits.map(({ transfer }) => transfer)
    const [first, unsigned] = [back(2, 5_000_000n), { ...back(3, 3_000_000n), authorizationNonce: null }]
    const beyond = back(4, 1n)
    expect(depositsOf([paid, swept, first, unsigned, beyond])).to.deep.equal([paid, beyond])
    expect(depositsOf([paid, first, swept])).to.deep.equal([paid, first])
    const paidOut = payout(first, 'payer', first.from, first.amountMicros)
    expect(codesOf([paid, swept, first, paidOut])).to.deep.equal(['custody/unexplained-outflow'])
  })

  it('lists the payouts to sellers whom no nonce of a deposit names', async () => {
    const nonce: Hex = `0x6d6b7431${'00'.repeat(28)}`
    const [named, drawn, returned] = [
      { ...deposit(1, 20n), authorizationNonce: nonce },
      deposit(2, 20n),
      deposit(3, 20n),
    ]
    const transfers = [named, drawn, returned].flatMap((paid) => [
      paid,
      {
        ...payout(paid, paid === returned ? 'payer' : 'payee', account(3), 19n),
        txHash: hash(Number(paid.blockNumber)),
      },
    ])
    const unnamed = unnamedPayouts(auditCustody({ escrowEvents: [], transfers }, at, RULES).deposits)
    expect(unnamed).to.deep.equal([hash(2)])
    const report = { ...EMPTY_REPORT, unnamedPayouts: unnamed }
    expect(plainReport(report).unnamed_payouts).to.deep.equal([hash(2)])
    expect(reportText(report)).to.include(`No seller is named by what was paid in for the payout ${hash(2)}`)
  })

  it('names a refund that is more than was paid', () => {
    const paid = deposit(1, 20_000_000n)
    expect(codesOf([paid, payout(paid, 'payer', paid.from, 20_000_001n)])).to.deep.equal(['custody/refund-too-large'])
  })

  it('names a seller paid in full for an order that was refunded', () => {
    const paid = deposit(1, 20_000_000n)
    const both = [payout(paid, 'payer', paid.from, 20_000_000n), payout(paid, 'payee', account(3), 19_000_000n)]
    expect(codesOf([paid, ...both])).to.deep.equal(['custody/wrong-payout'])
  })
})
