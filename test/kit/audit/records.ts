import { randomBytes, randomUUID } from 'node:crypto'
import type { Address, TransactionReceipt } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { formatAmount } from '../../../protocol/encoding/amounts.ts'
import { escrowAbi } from '../../../protocol/generated/escrow.ts'
import { signDocument } from '../../../protocol/keys/signing.ts'
import type { LiabilitiesDocument, LiabilityInclusion } from '../../../protocol/liabilities/liabilities.ts'
import { encodeNode, leafNode } from '../../../protocol/liabilities/liabilityPath.ts'
import { buildLevels, pathOf, rootOf } from '../../../protocol/liabilities/liabilityTree.ts'
import type { FeeSchedule, SignedFeeSchedule } from '../../../protocol/payments/fees.ts'
import {
  custodiedNonce,
  type PayoutLeg,
  payoutNonce,
  type Sale,
  sellerUrns,
} from '../../../protocol/payments/nonces.ts'
import type { PayoutReceipt } from '../../../protocol/payments/payoutReceipt.ts'
import { type Split, splitHold } from '../../../protocol/payments/split.ts'
import { holdId, orderKey, termsHash } from '../../../protocol/payments/terms.ts'
import type { ReceiptDocument } from '../../../protocol/records/receipt.ts'
import type { TestChain } from '../chain/node.ts'
import {
  freeAccount,
  mined,
  mintUsdc,
  newSale,
  newTerms,
  roleAccount,
  signForHold,
  signTransfer,
  submitToToken,
} from '../chain/payments.ts'

export const SIGNING_KEY = 'c3'.repeat(32)
const FEE_BPS = 500
/** The host that bindings name. */
export const DOMAIN = 'market.example'

/** A document as the service publishes it. */
export interface Signed<Document> {
  document: Document
  key_id: string
  signature: string
}

/** Signs as the service does. */
export async function signed<Document extends object>(document: Document): Promise<Signed<Document>> {
  const { keyId, signature } = await signDocument(document, SIGNING_KEY)
  return { document, key_id: keyId, signature }
}

/** What the service would have told of trades that did happen on the chain. */
export interface Records {
  receipts: Signed<ReceiptDocument>[]
  payouts: PayoutReceipt[]
  liabilities: Signed<LiabilitiesDocument>
  balances: LiabilityInclusion[]
  /** The transactions of deposits that nothing has been paid out of. */
  openDeposits: readonly string[]
}

/** Trades in both modes on a chain, some paid out in part, some open, and the true records of them. */
export async function tradeAndRecord(chain: TestChain): Promise<Records> {
  const [buyer, seller] = [freeAccount(0), freeAccount(1)]
  await mintUsdc(chain, buyer.address, 1_000_000_000n)
  const receipts = [
    await holdAndRelease(chain, buyer, seller, 20_000_000n, 0n),
    await holdAndRelease(chain, buyer, seller, 30_000_000n, 10_000_000n),
  ]
  await mined(
    chain,
    chain.client.writeContract({ account: seller, address: chain.escrow, abi: escrowAbi, functionName: 'withdraw' }),
  )
  const payouts: PayoutReceipt[] = []
  for (const [amountMicros, refundMicros] of [
    [20_000_000n, 0n],
    [40_000_000n, 10_000_000n],
    [8_000_000n, 8_000_000n],
  ] as const) {
    const trade = await depositAndPay(chain, buyer, seller, amountMicros, refundMicros)
    receipts.push(trade.receipt)
    payouts.push(...trade.payouts)
  }
  const open = []
  for (const amountMicros of [50_000_000n, 7_000_000n, 3_000_000n]) {
    open.push({ ...(await deposit(chain, buyer, amountMicros)), amountMicros })
  }
  const openDeposits = open.map(({ paid }) => paid.transactionHash)
  return { receipts: await Promise.all(receipts.map(signed)), payouts, openDeposits, ...(await owed(chain, open)) }
}

/** The signed list of the one fee that there was. */
export function onlyFee(chain: TestChain): Promise<SignedFeeSchedule> {
  const document: FeeSchedule = {
    type: 'market:fees',
    network: `eip155:${chain.chainId}`,
    hot_wallet: chain.accounts.hotWallet.address,
    payment_window_seconds: 3_600,
    rates: [{ from: '1970-01-01T00:00:00.000Z', fee_bps: FEE_BPS }],
  }
  return signed(document)
}

/** A hold of the contract that the resolver let go, and its receipt. */
export async function holdAndRelease(
  chain: TestChain,
  buyer: PrivateKeyAccount,
  seller: PrivateKeyAccount,
  amountMicros: bigint,
  refundMicros: bigint,
): Promise<ReceiptDocument> {
  const orderId = randomUUID()
  const terms = { ...(await newTerms(chain, seller.address, amountMicros)), order: orderKey(orderId) }
  const { validAfter, validBefore, signature } = await signForHold(chain, buyer, terms)
  const escrow = { address: chain.escrow, abi: escrowAbi } as const
  const args = [terms, buyer.address, validAfter, validBefore, signature] as const
  const submitter = roleAccount(chain, 'submitter')
  await mined(chain, chain.client.writeContract({ ...escrow, account: submitter, functionName: 'fund', args }))
  const split = splitHold(amountMicros, refundMicros, FEE_BPS)
  const legs = [
    [buyer.address, split.payerMicros],
    [seller.address, split.payeeMicros],
    [terms.feeRecipient, split.feeMicros],
  ] as const
  const due = legs.filter(([, micros]) => micros > 0n)
  const recipients = due.map(([account]) => account)
  const amounts = due.map(([, micros]) => micros)
  const released = await mined(
    chain,
    chain.client.writeContract({
      ...{ ...escrow, account: roleAccount(chain, 'resolver'), functionName: 'release' },
      args: [terms, buyer.address, recipients, amounts],
    }),
  )
  const nonce = termsHash(chain, terms)
  return {
    ...receiptOf(chain, orderId, buyer.address, amountMicros, split),
    escrow_mode: 'contract',
    recipient: chain.escrow,
    payee: seller.address,
    deposit_nonce: nonce,
    hold_id: holdId(nonce, buyer.address),
    settlement_ref: released.transactionHash,
  }
}

function receiptOf(chain: TestChain, orderId: string, payer: Address, amountMicros: bigint, split: Split) {
  return {
    receipt_urn: `market:receipt:${randomUUID()}`,
    order_urn: `market:order:${orderId}`,
    network: `eip155:${chain.chainId}`,
    token: chain.token,
    payer,
    price: formatAmount(amountMicros),
    refunded: formatAmount(split.payerMicros),
    seller_net: formatAmount(split.payeeMicros),
    market_fee: formatAmount(split.feeMicros),
    fee_bps: FEE_BPS,
    spec_hash: 'aa'.repeat(32),
    input_hash: 'bb'.repeat(32),
    output_hash: 'cc'.repeat(32),
    disputed: false,
    finalized_at: '2026-05-17T00:00:00.000Z',
  }
}

async function deposit(chain: TestChain, buyer: PrivateKeyAccount, amountMicros: bigint) {
  const sale = newSale()
  const { orderId } = sale
  const hotWallet = chain.accounts.hotWallet.address
  const nonce = custodiedNonce({ ...chain, hotWallet }, sale, amountMicros)
  const paid = await submitToToken(
    chain,
    await signTransfer(chain, buyer, { to: hotWallet, value: amountMicros, nonce }),
  )
  return { orderId, sale, nonce, paid }
}

/** A custodied trade that was paid out, at a fee in hundredths of a percent, and its true records. */
export async function depositAndPay(
  chain: TestChain,
  buyer: PrivateKeyAccount,
  seller: PrivateKeyAccount,
  amountMicros: bigint,
  refundMicros: bigint,
  feeBps = FEE_BPS,
) {
  const { orderId, sale, nonce, paid } = await deposit(chain, buyer, amountMicros)
  const split = splitHold(amountMicros, refundMicros, feeBps)
  const identity = { from: buyer.address, nonce, amountMicros, paid }
  const net = async () => ({
    ...(await payOut(chain, identity, 'payee', seller.address, split.payeeMicros)),
    ...(await sellerEvidence(chain, seller, sale)),
  })
  const payouts: PayoutReceipt[] = [
    ...(split.payerMicros > 0n ? [await payOut(chain, identity, 'payer', buyer.address, split.payerMicros)] : []),
    ...(split.payeeMicros > 0n ? [await net()] : []),
  ]
  const receipt: ReceiptDocument = {
    ...receiptOf(chain, orderId, buyer.address, amountMicros, split),
    fee_bps: feeBps,
    escrow_mode: 'custodied',
    recipient: chain.accounts.hotWallet.address,
    payee: null,
    deposit_nonce: nonce,
    hold_id: null,
    settlement_ref: paid.transactionHash,
  }
  return { receipt, payouts }
}

/** By what an auditor tells that a wallet is the seller's. */
export async function sellerEvidence(
  chain: TestChain,
  seller: PrivateKeyAccount,
  sale: Sale,
  changes: { domain?: string; chainId?: number; resources?: string[]; expirationTime?: Date } = {},
) {
  const [seller_urn, owner_urn] = sellerUrns(sale)
  const message = createSiweMessage({
    ...{ address: seller.address, chainId: chain.chainId, domain: DOMAIN, uri: `https://${DOMAIN}`, version: '1' },
    ...{ nonce: 'abcdefgh12', issuedAt: new Date(0), resources: [seller_urn] },
    ...changes,
    ...changes,
  })
  const binding = { message, signature: await seller.signMessage({ message }) }
  return { sale: { order_urn: `market:order:${sale.orderId}`, seller_urn, owner_urn }, binding }
}

async function payOut(
  chain: TestChain,
  from: { from: Address; nonce: `0x${string}`; amountMicros: bigint; paid: TransactionReceipt },
  leg: PayoutLeg,
  to: Address,
  amountMicros: bigint,
): Promise<PayoutReceipt> {
  const hotWallet = roleAccount(chain, 'hotWallet')
  const nonce = payoutNonce({ ...chain, hotWallet: hotWallet.address }, from, leg)
  const paid = await submitToToken(chain, await signTransfer(chain, hotWallet, { to, value: amountMicros, nonce }))
  return {
    payout_urn: { prefix: 'payout', body: randomUUID() },
    leg,
    amount: formatAmount(amountMicros),
    from: hotWallet.address,
    to,
    nonce,
    deposit: {
      from: from.from,
      nonce: from.nonce,
      amount: formatAmount(from.amountMicros),
      tx_hash: from.paid.transactionHash,
    },
    tx_hash: paid.transactionHash,
    block_number: Number(paid.blockNumber),
    block_hash: paid.blockHash,
    log_index: 1,
  }
}

/** The signed tree of what is held for open orders, at the newest block. */
async function owed(chain: TestChain, open: readonly { orderId: string; amountMicros: bigint }[]) {
  const leaves = open.map(({ orderId, amountMicros }) => {
    return { account: `hold:market:order:${orderId}`, amountMicros, salt: randomBytes(32) }
  })
  const levels = buildLevels(Buffer.concat(leaves.map((leaf) => encodeNode(leafNode(leaf)))))
  const root = rootOf(levels)
  const { number, hash } = await chain.client.getBlock()
  const document: LiabilitiesDocument = {
    type: 'market:liabilities',
    network: `eip155:${chain.chainId}`,
    token: chain.token,
    wallets: [chain.accounts.hotWallet.address],
    block_number: Number(number),
    block_hash: hash,
    total: formatAmount(root.sumMicros),
    root: Buffer.from(root.hash).toString('hex'),
    height: root.height,
    created_at: '2026-05-17T00:00:00.000Z',
  }
  const balances = leaves.map(({ account, amountMicros, salt }, position): LiabilityInclusion => {
    const path = pathOf(levels, BigInt(position)).siblings.map((node) => {
      return { hash: Buffer.from(node.hash).toString('hex'), sum: formatAmount(node.sumMicros) }
    })
    return { account, amount: formatAmount(amountMicros), salt: salt.toString('hex'), position, path }
  })
  return { liabilities: await signed(document), balances }
}
