import { hashTypedData, isAddressEqual, type PublicClient } from 'viem'
import { parseAmount } from '../protocol/encoding/amounts.ts'
import { isSignedBy, isSignedByKey } from '../protocol/keys/signatures.ts'
import { type PublicKeyJwk, verifyDocument } from '../protocol/keys/signing.ts'
import { formerSettlementTypedData, settlementTypedData } from '../protocol/payments/settlement.ts'
import type { ReceiptDocument, SignedReceipt } from '../protocol/records/receipt.ts'
import { verdictDocument } from '../protocol/records/verdict.ts'
import { askAll } from '../protocol/rpc/askAll.ts'
import type { Deposit } from './custody.ts'
import { distinct } from './distinct.ts'
import type { Hold } from './holds.ts'
import type { ChainFacts } from './receipts.ts'
import type { Finding, ReleaseProof } from './report.ts'

type Approval = NonNullable<ReceiptDocument['settlement']>['approvals'][number]

/**
 * How a receipt's money left on the chain: the block, when its evidence had to be valid, and the seller that
 * the chain shows.
 */
interface Way {
  blockNumber: bigint
  payee: string | undefined
  /** Whether a party ended the hold by itself, which the contract lets nobody else do. */
  isByParty: boolean
}

// The contract's cause of a release by its resolver, which is the service.
const BY_RESOLVER = 0

/**
 * Determines for each receipt what showed that its distribution was wanted: the parties that signed, the key
 * of a verdict, or nothing. Returns findings for false evidence. A receipt whose money has not left yet has
 * no proof to check.
 */
export async function auditReleaseEvidence(
  client: PublicClient,
  receipts: readonly SignedReceipt[],
  keys: readonly PublicKeyJwk[],
  facts: ChainFacts,
): Promise<{ proofs: ReleaseProof[]; findings: Finding[] }> {
  const left = distinct(receipts).flatMap(({ document }) => {
    const way = wayOf(document, facts)
    return way ? [{ document, way }] : []
  })
  const judged = await askAll(left, ({ document, way }) => judge(client, document, way, { keys, facts }))
  return { proofs: judged.map(({ proof }) => proof), findings: judged.flatMap(({ findings }) => findings) }
}

function wayOf(document: ReceiptDocument, { holds, deposits }: ChainFacts): Way | undefined {
  if (document.escrow_mode === 'contract') return endingOf(holds.find(({ id }) => id === document.hold_id))
  const deposit = deposits.find(
    ({ transfer, nonce }) => nonce === document.deposit_nonce && isAddressEqual(transfer.from, document.payer),
  )
  return deposit && legsOf(deposit)
}

function endingOf(hold: Hold | undefined): Way | undefined {
  if (!hold?.ending) return undefined
  const { ending, terms } = hold
  const isByParty = ending.eventName === 'Reclaimed' || ending.args.cause !== BY_RESOLVER
  return { blockNumber: ending.blockNumber, payee: terms.payee, isByParty }
}

function legsOf({ legs: { payee, payer } }: Deposit): Way | undefined {
  const first = [payee, payer]
    .flatMap((leg) => (leg ? [leg.blockNumber] : []))
    .sort((one, other) => Number(one - other))[0]
  return first === undefined ? undefined : { blockNumber: first, payee: payee?.to, isByParty: false }
}

interface Judged {
  proof: ReleaseProof
  findings: Finding[]
}

interface Judges {
  keys: readonly PublicKeyJwk[]
  facts: ChainFacts
}

async function judge(
  client: PublicClient,
  document: ReceiptDocument,
  way: Way,
  { keys, facts }: Judges,
): Promise<Judged> {
  const { receipt_urn: subject, settlement } = document
  if (way.isByParty) return { proof: { subject, by: 'chain' }, findings: [] }
  const { signers, findings: untrue } = await signersOf(client, document, way, facts)
  const { keyId, findings: undecided } = await decidedBy(document, keys)
  const findings = [...untrue, ...undecided]
  const agreed = agreedBy(document, signers)
  if (agreed) return { proof: { subject, by: agreed }, findings }
  if (keyId !== undefined) return { proof: { subject, by: 'verdict', keyId }, findings }
  if (settlement?.verdict && settlement.verdict.document === undefined)
    return { proof: { subject, by: 'untold' }, findings }
  return { proof: { subject, by: settlement?.elapsed_seconds === undefined ? 'nothing' : 'elapsed' }, findings }
}

/** Returns the parties that signed, and a finding for each approval without a valid signature. */
async function signersOf(client: PublicClient, document: ReceiptDocument, way: Way, facts: ChainFacts) {
  const signers = new Set<Approval['by']>()
  const findings: Finding[] = []
  for (const approval of document.settlement?.approvals ?? []) {
    if (!(await isSettlement(client, document, approval, way, facts))) {
      const detail = `What it calls the ${approval.by}’s signature of its distribution is not, or was not valid when the money left.`
      findings.push({ code: 'receipt/bad-approval', subject: document.receipt_urn, detail })
    } else if (isParty(document, approval, way)) signers.add(approval.by)
  }
  return { signers, findings }
}

/** Returns the parties that agreed, if every party that gets less than all has signed. */
function agreedBy({ refunded, price }: ReceiptDocument, signers: ReadonlySet<Approval['by']>) {
  const isAgreed =
    (refunded === price || signers.has('payer')) && (parseAmount(refunded) === 0n || signers.has('payee'))
  if (!isAgreed) return undefined
  if (signers.size === 2) return 'both'
  return signers.has('payer') ? 'payer' : 'payee'
}

/**
 * Returns the key of the verdict that decided this distribution, or a finding for a verdict that did not
 * decide it.
 */
async function decidedBy(document: ReceiptDocument, keys: readonly PublicKeyJwk[]) {
  const verdict = document.settlement?.verdict
  if (verdict?.document === undefined) return { keyId: undefined, findings: [] }
  if (await isVerdict(document, verdict.document, verdict, keys)) return { keyId: verdict.key_id, findings: [] }
  const detail = 'The verdict in it is none of a published key that decides this order so.'
  return { keyId: undefined, findings: [{ code: 'receipt/bad-verdict', subject: document.receipt_urn, detail }] }
}

/**
 * Returns whether the wallet signed this distribution of this payment, and the signature was valid when the
 * money left.
 */
async function isSettlement(
  client: PublicClient,
  document: ReceiptDocument,
  { wallet, payee, valid_before: validBefore, signature }: Approval,
  { blockNumber }: Way,
  { at }: ChainFacts,
): Promise<boolean> {
  const [amount, refund, payment] = [document.price, document.refunded, document.seller_net].map(parseAmount)
  if (amount === undefined || refund === undefined || payment === undefined) return false
  const { timestamp } = await client.getBlock({ blockNumber })
  if (BigInt(validBefore) <= timestamp) return false
  const place = { chainId: at.chainId, holder: document.recipient }
  const settlement = {
    ...{ order: document.order_urn, payer: document.payer, nonce: document.deposit_nonce, amount, refund, payment },
    validBefore: BigInt(validBefore),
  }
  const digests = [
    ...(payee ? [hashTypedData(settlementTypedData(place, { ...settlement, payee }))] : []),
    hashTypedData(formerSettlementTypedData(place, settlement)),
  ]
  for (const digest of digests) {
    const signed = { account: wallet, digest, signature }
    if ((await isSignedByKey(signed)) || (await isSignedBy(client, signed, []))) return true
  }
  return false
}

/**
 * Returns whether the wallet is the party's, as far as the chain shows. In custody it shows a seller only if
 * one was paid.
 */
function isParty({ payer }: ReceiptDocument, { by, wallet, payee: named }: Approval, { payee }: Way): boolean {
  // A signature that names another wallet than the paid one agreed to another payment.
  if (named && payee && named.toLowerCase() !== payee.toLowerCase()) return false
  const party = by === 'payer' ? payer : payee
  return party?.toLowerCase() === wallet.toLowerCase()
}

async function isVerdict(
  { order_urn, price, refunded, seller_net }: ReceiptDocument,
  text: string,
  { key_id: keyId, signature }: NonNullable<NonNullable<ReceiptDocument['settlement']>['verdict']>,
  keys: readonly PublicKeyJwk[],
): Promise<boolean> {
  const document = parseVerdict(text)
  if (!document || document.order_urn !== order_urn || document.price !== price) return false
  if (document.split.buyer !== refunded || document.split.seller !== seller_net) return false
  return verifyDocument(document, { keyId, signature }, keys, { purpose: 'verdicts', at: document.decided_at })
}

function parseVerdict(text: string) {
  try {
    return verdictDocument.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
