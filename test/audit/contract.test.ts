import { describe, it } from 'node:test'
import { expect } from 'chai'
import { type Address, getAddress, type Hex, padHex, toHex } from 'viem'
import { auditOutflows } from '../../audit/claimable.ts'
import type { EscrowEvent, Transfer } from '../../audit/history.ts'
import type { Hold } from '../../audit/holds.ts'
import { auditReceipts } from '../../audit/receipts.ts'
import { publicKeyJwk, signDocument } from '../../protocol/keys/signing.ts'
import { holdId, orderKey } from '../../protocol/payments/terms.ts'
import type { ReceiptDocument } from '../../protocol/records/receipt.ts'

const account = (seed: number): Address => getAddress(padHex(toHex(seed), { size: 20 }))
const hash = (seed: number): Hex => padHex(toHex(seed), { size: 32 })
const [ESCROW, SENDER, PAYEE, OTHER] = [account(1), account(2), account(3), account(4)]
const SEED = 'ab'.repeat(32)

describe('an audit of the contract', () => {
  const place = (block: number) => ({ txHash: hash(block), blockNumber: BigInt(block), logIndex: 1 })
  const moved = (block: number, from: Address, to: Address, amountMicros: bigint): Transfer => {
    return { ...place(block), from, to, amountMicros, authorizationNonce: to === ESCROW ? hash(9) : null }
  }
  const returned = (amount: bigint) =>
    ({ ...place(2), eventName: 'StrayReturned', args: { from: SENDER, nonce: hash(9), amount } }) as EscrowEvent

  for (const [amount, codes] of [
    [20n, []],
    [21n, ['escrow/unexplained-outflow']],
  ] as const) {
    it(`${codes.length ? 'finds' : 'is clean of'} a stray payment of 20 that went back as ${amount}`, () => {
      const transfers = [moved(1, SENDER, ESCROW, 20n), moved(2, ESCROW, SENDER, amount)]
      const findings = auditOutflows({ escrowEvents: [returned(amount)], transfers }, { escrow: ESCROW, token: OTHER })
      expect(findings.map(({ code }) => code)).to.deep.equal(codes)
    })
  }

  const orderId = '01a1fcef-f6c3-71d3-bf09-45bbbc9b0e6c'
  const hold = {
    id: holdId(hash(9), SENDER),
    payer: SENDER,
    terms: { order: orderKey(orderId), payee: PAYEE, amount: 20_000_000n },
    ending: { txHash: hash(5) },
    split: { payerMicros: 0n, payeeMicros: 19_000_000n, feeMicros: 1_000_000n },
  } as Hold
  const at = { chainId: 31337, token: OTHER, escrow: ESCROW, hotWallet: OTHER }
  const receipt: ReceiptDocument = {
    receipt_urn: `market:receipt:${orderId}`,
    order_urn: `market:order:${orderId}`,
    escrow_mode: 'contract',
    network: 'eip155:31337',
    token: OTHER,
    recipient: ESCROW,
    payer: SENDER,
    payee: PAYEE,
    price: '20.000000',
    refunded: '0.000000',
    seller_net: '19.000000',
    market_fee: '1.000000',
    deposit_nonce: hash(9),
    hold_id: hold.id,
    settlement_ref: hash(5),
    spec_hash: '',
    input_hash: '',
    output_hash: null,
    disputed: false,
    finalized_at: '2026-05-17T00:00:00.000Z',
  }

  for (const [what, change, codes] of [
    ['is clean of a receipt that is true', {}, []],
    ['finds a receipt that names another payer', { payer: OTHER }, ['receipt/differs']],
    ['finds a receipt that names another payee', { payee: OTHER }, ['receipt/differs']],
    ['finds a receipt that names another payment', { deposit_nonce: hash(8) }, ['receipt/differs']],
  ] as const) {
    it(what, async () => {
      const document = { ...receipt, ...change }
      const { keyId, signature } = await signDocument(document, SEED)
      const signed = { document, key_id: keyId, signature }
      const findings = await auditReceipts([signed], [await publicKeyJwk(SEED)], {
        holds: [hold],
        deposits: [],
        at,
      })
      expect(findings.map(({ code }) => code)).to.deep.equal(codes)
    })
  }
})
