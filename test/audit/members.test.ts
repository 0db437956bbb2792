import { before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type Address, getAddress, type Hex, type PublicClient, padHex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import type { Deposit } from '../../audit/custody.ts'
import { auditFees } from '../../audit/fees.ts'
import type { AuditTarget, Transfer } from '../../audit/history.ts'
import type { Hold } from '../../audit/holds.ts'
import { auditLiabilities } from '../../audit/liabilities.ts'
import { auditPayees } from '../../audit/payees.ts'
import { auditPayouts } from '../../audit/payouts.ts'
import { auditReceipts } from '../../audit/receipts.ts'
import type { Finding } from '../../audit/report.ts'
import { urnString } from '../../protocol/encoding/urn.ts'
import { type PublicKeyJwk, publicKeyJwk } from '../../protocol/keys/signing.ts'
import { type LiabilitiesDocument, liabilitiesDocument } from '../../protocol/liabilities/liabilities.ts'
import { feeSchedule } from '../../protocol/payments/fees.ts'
import { custodiedNonce, payoutNonce, sellerUrns } from '../../protocol/payments/nonces.ts'
import { type PayoutReceipt, payoutReceipt } from '../../protocol/payments/payoutReceipt.ts'
import { holdId, orderKey } from '../../protocol/payments/terms.ts'
import { type ReceiptDocument, receiptDocument } from '../../protocol/records/receipt.ts'
import { DOMAIN, SIGNING_KEY, type Signed, signed } from '../kit/audit/records.ts'
import { expectEachMember, membersOf, nameOf, pathsOf } from '../kit/members.ts'

const account = (seed: number): Address => getAddress(padHex(toHex(seed), { size: 20 }))
const hash = (seed: number): Hex => padHex(toHex(seed), { size: 32 })
const seller = privateKeyToAccount(hash(77))
const AT = '2026-06-01T12:00:00.000Z'
const SALE = {
  orderId: '01a1fcef-f6c3-71d3-bf09-45bbbc9b0e6c',
  agentId: '01a1fcef-f6c3-71d3-bf09-45bbbc9b0e6d',
  ownerId: '01a1fcef-f6c3-71d3-bf09-45bbbc9b0e6e',
}
const OTHER_ID = '01a1fcef-f6c3-71d3-bf09-45bbbc9b0e6f'
const PAYER = account(3)
const target: AuditTarget = {
  ...{
    chainId: 31_337,
    escrow: account(0xe),
    hotWallet: account(0xa),
    token: account(0x7),
    fromBlock: 1n,
    toBlock: 9n,
  },
}
const at = { chainId: target.chainId, token: target.token, hotWallet: target.hotWallet }
const place = (block: number) => ({ txHash: hash(block), blockNumber: BigInt(block), logIndex: 1 })
const NONCE = custodiedNonce(at, SALE, 20_000_000n)
const PAYOUT = payoutNonce(at, { from: PAYER, nonce: NONCE }, 'payee')
const paid: Transfer = {
  ...{ ...place(2), from: PAYER, to: target.hotWallet, amountMicros: 20_000_000n, authorizationNonce: NONCE },
}
const net: Transfer = {
  ...{ ...place(4), from: target.hotWallet, to: seller.address, amountMicros: 19_000_000n, authorizationNonce: PAYOUT },
}
const deposit: Deposit = { transfer: paid, nonce: NONCE, legs: { payee: net }, isAppealFee: false, fees: [500] }
/** Another deposit, and nothing was paid out of it. */
const open: Deposit = { ...deposit, transfer: { ...paid, ...place(3) }, nonce: hash(0x99), legs: {} }
const TERMS_HASH = hash(0x55)
const hold = {
  ...{ id: holdId(TERMS_HASH, PAYER), payer: PAYER, ending: { txHash: hash(5) } },
  terms: { order: orderKey(SALE.orderId), payee: seller.address, amount: 20_000_000n, feeBps: 500 },
  split: { payerMicros: 0n, payeeMicros: 19_000_000n, feeMicros: 1_000_000n },
} as Hold
/** A node that has each block with a hash of its own, and no contract's wallet. */
const client = {
  getCode: async () => undefined,
  getBlock: async ({ blockNumber }: { blockNumber: bigint }) => ({
    hash: hash(0xb00 + Number(blockNumber)),
    timestamp: 0n,
  }),
} as unknown as PublicClient

const codes = (findings: readonly Finding[]) => [...new Set(findings.map(({ code }) => code))]
const each = (names: readonly string[], found: readonly string[]) =>
  Object.fromEntries(names.map((one) => [one, found]))
/** A sample must have each member that its schema has, so that none is left out. */
const expectWhole = (sample: object, schema: Parameters<typeof membersOf>[0]) =>
  expect([...new Set(pathsOf(sample).map(nameOf))].toSorted()).to.deep.equal([...new Set(membersOf(schema))].toSorted())

let keys: PublicKeyJwk[]
before(async () => {
  keys = [{ ...(await publicKeyJwk(SIGNING_KEY)), valid_until: AT }]
})

describe('each member of a receipt, to an audit', () => {
  const custodied: Required<ReceiptDocument> = {
    ...{ receipt_urn: 'market:receipt:1', order_urn: urnString('order', SALE.orderId), escrow_mode: 'custodied' },
    ...{ network: 'eip155:31337', token: target.token, recipient: target.hotWallet, payer: PAYER, payee: null },
    ...{ price: '20.000000', refunded: '0.000000', seller_net: '19.000000', market_fee: '1.000000', fee_bps: 500 },
    ...{ deposit_nonce: NONCE, hold_id: null, settlement_ref: paid.txHash, spec_hash: 'aa', amendments: ['bb'] },
    ...{ input_hash: 'cc', output_hash: 'dd', privacy_mode: 'stub', disputed: true, ended_by: 'verdict' },
    ...{ verdict_urn: 'market:verdict:1', finalized_at: AT },
    settlement: {
      approvals: [{ by: 'payer', wallet: PAYER, payee: seller.address, valid_before: 1, signature: '0x01' }],
      ...{ verdict: { document: '{}', key_id: 'k', signature: 's' }, elapsed_seconds: 1 },
    },
  }
  const inContract: Required<ReceiptDocument> = {
    ...{ ...custodied, escrow_mode: 'contract', recipient: target.escrow, payee: seller.address },
    ...{ deposit_nonce: TERMS_HASH, hold_id: hold.id, settlement_ref: hash(5) },
  }
  const facts = { holds: [hold], deposits: [deposit], at: target }
  const found = async (receipt: Signed<ReceiptDocument>) => codes(await auditReceipts([receipt], keys, facts))
  // What was agreed and done is between the parties: the signature alone says it.
  const said = ['receipt_urn', 'spec_hash', 'amendments.*', 'input_hash', 'output_hash', 'privacy_mode', 'disputed']
  // What showed that the distribution was wanted is judged by `auditReleaseEvidence`.
  const judged = membersOf(receiptDocument).filter((name) => name.startsWith('settlement.'))
  const free = each([...said, ...judged, 'verdict_urn', 'ended_by'], [])
  const others = {
    'settlement.approvals.*.by': 'payee',
    privacy_mode: 'public',
    ended_by: 'chain',
    order_urn: urnString('order', OTHER_ID),
  }
  const [differs, absent, elsewhere] = [['receipt/differs'], ['receipt/not-on-chain'], ['receipt/wrong-place']]
  const sums = each(['seller_net', 'market_fee', 'refunded'], ['receipt/wrong-sum', 'receipt/differs'])
  // The key was not valid any more.
  const dated = { finalized_at: ['receipt/bad-signature'] }

  it('is found in custody, where the service signed it', async () => {
    expectWhole(custodied, receiptDocument)
    expect(await found(await signed(custodied))).to.deep.equal([])
    const answers = {
      ...{ ...free, ...sums, ...dated, ...each(['network', 'token', 'recipient'], elsewhere) },
      // Which order a deposit paid is the service's word, as its nonce is a hash.
      order_urn: [],
      ...{ price: ['receipt/wrong-sum', 'receipt/not-on-chain'], fee_bps: ['receipt/unpublished-fee'] },
      ...each(['payer', 'deposit_nonce'], absent),
      ...each(['payee', 'hold_id', 'settlement_ref'], differs),
      escrow_mode: ['receipt/wrong-place', 'receipt/not-on-chain'],
    }
    await expectEachMember(custodied, answers, async (document) => found(await signed(document)), others)
  })

  it('is found in the contract, where the service signed it', async () => {
    expect(await found(await signed(inContract))).to.deep.equal([])
    const answers = {
      ...{ ...free, ...sums, ...dated, ...each(['network', 'token', 'recipient'], elsewhere) },
      ...each(['order_urn', 'payer', 'payee', 'fee_bps', 'deposit_nonce', 'settlement_ref'], differs),
      ...{ price: ['receipt/wrong-sum', 'receipt/differs'], hold_id: absent },
      escrow_mode: ['receipt/wrong-place', 'receipt/not-on-chain'],
    }
    await expectEachMember(inContract, answers, async (document) => found(await signed(document)), others)
  })

  it('is found where nobody signed it', async () => {
    const receipt = await signed(inContract)
    const names = membersOf(receiptDocument).map((name) => `document.${name}`)
    const answers = each([...names, 'key_id', 'signature'], ['receipt/bad-signature'])
    const isSigned = async (one: typeof receipt) =>
      (await found(one)).filter((code) => code === 'receipt/bad-signature')
    await expectEachMember(receipt, answers, isSigned)
  })
})

describe('each member of what custody owes, and of the fees, to an audit', () => {
  const root: LiabilitiesDocument = {
    ...{ type: 'market:liabilities', network: 'eip155:31337', token: target.token, wallets: [target.hotWallet] },
    ...{
      block_number: 5,
      block_hash: hash(0xb05),
      total: '20.000000',
      root: 'ab'.repeat(32),
      height: 0,
      created_at: AT,
    },
  }
  const history = { escrowEvents: [], transfers: [paid, net, open.transfer] }
  const custody = { history, deposits: [deposit, open], coldWallets: [], provenWallets: [] }
  const found = async (one: Signed<LiabilitiesDocument>) =>
    codes(await auditLiabilities(client, target, [one], { ...custody, keys }))

  it('is found, of a root, unless a balance alone can show it', async () => {
    expect(membersOf(liabilitiesDocument).toSorted()).to.deep.equal(pathsOf(root).map(nameOf).toSorted())
    expect(await found(await signed(root))).to.deep.equal([])
    const elsewhere = ['liabilities/wrong-place']
    const answers = {
      ...each(['network', 'token', 'wallets.*'], elsewhere),
      ...{ block_number: ['liabilities/wrong-block'], block_hash: ['liabilities/wrong-block'] },
      ...{ total: ['liabilities/understated'], created_at: ['liabilities/bad-signature'] },
      // What is no root is not read as one; the tree below it is checked by its balances.
      ...{ type: [], root: [], height: [] },
    }
    await expectEachMember(root, answers, async (document) => found(await signed(document)))
    const more = await signed({ ...root, total: '21.000001' })
    expect(await found(more)).to.deep.equal(['liabilities/insolvent'])
    expect(await found(await signed({ ...root, block_number: 10 }))).to.deep.equal(['liabilities/outside'])
    expect(await found(await signed({ ...root, wallets: [] }))).to.deep.equal(elsewhere)
    for (const wallet of [target.hotWallet, target.escrow])
      expect(await found(await signed({ ...root, wallets: [...root.wallets, wallet] }))).to.deep.equal(elsewhere)
  })

  it('is found, of the list of fees', async () => {
    const list = {
      ...{ type: 'market:fees', network: 'eip155:31337', hot_wallet: target.hotWallet, payment_window_seconds: 3_600 },
      rates: [{ from: AT, fee_bps: 500 }],
    } as const
    expectWhole(list, feeSchedule)
    const within = async (one: Signed<typeof list>) => codes(await auditFees(target, { signed: one as never }, keys))
    const answers = {
      ...each(['network', 'hot_wallet'], ['fees/wrong-place']),
      // What they are compared with is each payout.
      ...each(['type', 'payment_window_seconds', 'rates.*.from', 'rates.*.fee_bps'], []),
    }
    await expectEachMember(list, answers, async (document) => within(await signed(document)))
    const unsigned = each([...membersOf(feeSchedule).map((name) => `document.${name}`), 'key_id', 'signature'], [])
    const isFound = async (one: Signed<typeof list>) =>
      (await within(one)).includes('fees/bad-signature') ? [] : ['not found']
    await expectEachMember(await signed(list), unsigned, isFound)
  })
})

describe('each member of a payout that an owner was told, to an audit', () => {
  let told: PayoutReceipt & { binding: object }
  before(async () => {
    const [seller_urn, owner_urn] = sellerUrns(SALE)
    const message = createSiweMessage({
      ...{ address: seller.address, chainId: target.chainId, domain: DOMAIN, uri: `https://${DOMAIN}`, version: '1' },
      ...{ nonce: 'abcdefgh12', issuedAt: new Date(0), resources: [seller_urn] },
    })
    told = {
      ...{ payout_urn: { prefix: 'payout', body: '1' }, leg: 'payee', amount: '19.000000', from: target.hotWallet },
      ...{
        to: seller.address,
        nonce: PAYOUT,
        tx_hash: net.txHash,
        block_number: 4,
        block_hash: hash(0xb04),
        log_index: 1,
      },
      deposit: { from: PAYER, nonce: NONCE, amount: '20.000000', tx_hash: paid.txHash },
      sale: { order_urn: urnString('order', SALE.orderId), seller_urn, owner_urn },
      binding: { message, signature: await seller.signMessage({ message }) },
    }
  })
  const found = async (payout: PayoutReceipt) => [
    ...codes(await auditPayouts(client, target, [payout], [deposit, open])),
    ...codes(await auditPayees(client, target, [payout], { domain: DOMAIN })),
  ]

  it('is found', async () => {
    expectWhole(told, payoutReceipt)
    expect(await found(told)).to.deep.equal([])
    const [differs, stolen, absent] = [['payout/differs'], ['payout/not-to-seller'], ['payout/not-on-chain']]
    const answers = {
      ...each(['payout_urn.prefix', 'payout_urn.body'], []),
      ...each(['amount', 'from', 'nonce', 'tx_hash', 'block_number', 'block_hash', 'log_index'], differs),
      ...{ leg: absent, to: [...differs, ...stolen], 'deposit.tx_hash': differs },
      'deposit.amount': [...differs, ...stolen],
      ...each(['deposit.from'], absent),
      'deposit.nonce': [...absent, ...stolen],
      ...each(['sale.order_urn', 'sale.seller_urn', 'sale.owner_urn', 'binding.message', 'binding.signature'], stolen),
    }
    const others = { 'binding.message': told.binding.message.replace('abcdefgh12', 'abcdefgh13') }
    await expectEachMember(told, answers, found, others)
  })

  it('differs, where it names another block that there is', async () => {
    const moved = { ...told, block_number: 5, block_hash: hash(0xb05) }
    expect(await found(moved)).to.deep.equal(['payout/differs'])
  })

  it('is not on the chain, where all of it is true but that it was paid', async () => {
    const nonce = payoutNonce(at, { from: PAYER, nonce: open.nonce }, 'payee')
    const unpaid = { ...told, nonce, deposit: { ...told.deposit, nonce: open.nonce, tx_hash: open.transfer.txHash } }
    expect(codes(await auditPayouts(client, target, [unpaid], [deposit, open]))).to.deep.equal(['payout/not-on-chain'])
  })
})
