import { canonicalJson, sha256Hex } from '../../../protocol/encoding/canonical.ts'
import { type SigningPurpose, verifyDocument } from '../../../protocol/keys/signing.ts'
import { isIncluded } from '../../../protocol/liabilities/inclusion.ts'
import type { SignedLiabilities } from '../../../protocol/liabilities/liabilities.ts'
import { AUDIT_START, AuditChainError, type AuditPlace, verifyAuditPage } from '../../../sdk/auditLog.ts'
import { checkReceipt, type ReceiptDocument } from '../../../sdk/receipts.ts'
import { verifyReputationAnswer } from '../../../sdk/reputation.ts'
import { checkVerdict } from '../../../sdk/verdicts.ts'
import { Misuse } from '../../terminal/options.ts'
import { money } from '../../terminal/text.ts'
import type { Evidence } from './evidence.ts'
import type { Trusted } from './trusted.ts'

/**
 * The result for a document: its content, its faults, and the parts that were not checked. Sentences for
 * people.
 */
export interface Checked {
  subject: string
  kind: string
  says: string[]
  faults: string[]
  not_checked: string[]
}

type Of<Kind extends Evidence['kind']> = Extract<Evidence, { kind: Kind }>['value']

const FAULTS: Readonly<Record<string, string>> = {
  document: 'the document is not the one that was hashed, or lacks members.',
  signature: 'no key of this purpose and time signed exactly this document.',
  sum: 'refund, seller’s share and fee do not add up to the price.',
  settlement: 'its settlement is not among the facts of the chain that it names.',
  audit: 'the entry of the audit log is not of this document.',
  split: 'the shares do not add up to the price, or the fee is none that was published.',
  remedy: 'the remedy is not what the split does.',
}

/** The place that the pages of the audit log have reached, and the hashes up to it. */
interface Walk {
  place: AuditPlace | undefined
  hashes: Map<number, string>
}

/**
 * Checks documents one after the other. Pages of the audit log continue each other, from `after` or from
 * where the first begins, and every head is compared with all of them, whatever their order.
 */
export async function checkEvidence(
  evidence: readonly Evidence[],
  trusted: Trusted,
  after: string | undefined,
): Promise<Checked[]> {
  const place = after === undefined ? undefined : placeOf(after)
  const walk: Walk = { place, hashes: new Map(place ? [[place.position, place.hash]] : []) }
  const pages = evidence.map((one) => (one.kind === 'auditPage' ? checkPage(one.from, one.value, walk) : undefined))
  const checked: Checked[] = []
  for (const [index, one] of evidence.entries()) {
    const page = pages[index]
    if (page) checked.push(page)
    else if (one.kind === 'auditHead') checked.push(await checkHead(one.value, trusted, walk))
    else checked.push(await checkOne(one as DocumentEvidence, trusted))
  }
  return checked
}

type DocumentEvidence = Exclude<Evidence, { kind: 'auditPage' | 'auditHead' }>

function checkOne(evidence: DocumentEvidence, trusted: Trusted): Promise<Checked> {
  switch (evidence.kind) {
    case 'receiptProof':
      return checkProof(evidence, trusted)
    case 'receipt':
      return checkSigned(evidence.value, trusted)
    case 'verdict':
      return checkDecision(evidence.value, trusted)
    case 'reputation':
      return checkAnswer(evidence.value, trusted)
    case 'balances':
      return checkBalances(evidence.value, trusted)
    case 'liabilities':
      return checkRoot(evidence.value, trusted)
  }
}

type ProofEvidence = Extract<Evidence, { kind: 'receiptProof' }>

async function checkProof({ from, value: proof, isReadAgain }: ProofEvidence, { keys }: Trusted): Promise<Checked> {
  const faults = (await checkReceipt(proof, keys)).map((fault) => FAULTS[fault] ?? fault)
  const { document } = proof
  if (document === null)
    return checkedOf('receipt', from, { faults: ['the document is not shown to you: ask a party for it.'] })
  const says = [saysOf(document), ...(isReadAgain ? [`${from} was saved early: read again from the service.`] : [])]
  const not_checked = ['whether the chain has these facts: ./market audit --receipts tells.']
  if (proof.audit === null) not_checked.push('the audit log: the receipt was not in it yet.')
  return checkedOf('receipt', document.receipt_urn, { says, faults, not_checked })
}

async function checkSigned({ document, key_id, signature }: Of<'receipt'>, { keys }: Trusted): Promise<Checked> {
  const sha256 = sha256Hex(canonicalJson(document))
  const bare = { valid: true, sha256, key_id, signature, document: null, canonical: null, settlement: [], audit: null }
  const faults = (await checkReceipt(bare, keys, document)).map((fault) => FAULTS[fault] ?? fault)
  const not_checked = ['the audit log and the chain: GET /v1/receipts/{urn}/verify has its entry and its facts.']
  return checkedOf('receipt', document.receipt_urn, { says: [saysOf(document)], faults, not_checked })
}

function saysOf({ price, seller_net, market_fee, refunded }: ReceiptDocument): string {
  return `Price ${money(price)}: seller ${money(seller_net)}, fee ${money(market_fee)}, refunded ${money(refunded)}.`
}

async function checkDecision(verdict: Of<'verdict'>, { keys, rates }: Trusted): Promise<Checked> {
  const { document } = verdict
  const { verdict_urn, split, remedy } = document
  // An order keeps the fee of the time when it was placed, so its fee may be any published one.
  const found = await Promise.all(rates.map(({ feeBps }) => checkVerdict(verdict, keys, feeBps)))
  const fewest = found.sort((a, b) => a.length - b.length)[0] ?? (['split'] as const)
  return checkedOf('verdict', verdict_urn, {
    says: [`${remedy}: buyer ${money(split.buyer)}, seller ${money(split.seller)}, fee ${money(split.fee)}.`],
    faults: fewest.map((fault) => FAULTS[fault] ?? fault),
    not_checked: ['whether it was just.'],
  })
}

async function checkAnswer(answer: Of<'reputation'>, { keys }: Trusted): Promise<Checked> {
  const { subject_urn, conditions, result, supporting, as_of } = answer
  const { unweighted_count: count, weighted_rating_avg: average, weighted_dispute_loss_rate: lossRate } = supporting
  return checkedOf('answer on reputation', subject_urn, {
    says: [
      `It ${result ? 'met' : 'did not meet'} ${JSON.stringify(conditions)} at ${as_of}.`,
      `${count} receipts, rated ${average}, lost disputes ${lossRate}, volume ${money(supporting.weighted_volume_usdc)}.`,
    ],
    faults: (await verifyReputationAnswer(answer, keys)) ? [] : [FAULTS.signature ?? ''],
    not_checked: ['whether the receipts exist: those of others are not shown.'],
  })
}

function checkPage(from: string, { entries }: Of<'auditPage'>, walk: Walk): Checked {
  const [first] = entries
  const isStart = !first || first.position <= 1
  const start = walk.place ?? (isStart ? AUDIT_START : { position: first.position - 1, hash: first.previous_hash })
  const not_checked = walk.place || isStart ? [] : [`what is before entry ${start.position + 1}: name it with --after.`]
  walk.place = start
  try {
    walk.place = verifyAuditPage(entries, start)
    for (const { position, hash } of entries) walk.hashes.set(position, hash)
    const { position, hash } = walk.place
    const says = [
      `Entries ${start.position + 1} to ${position} continue each other. Next time: --after ${position}:${hash}`,
    ]
    return checkedOf('audit log', from, { says, not_checked })
  } catch (error) {
    if (!(error instanceof AuditChainError)) throw error
    return checkedOf('audit log', from, { faults: [error.message], not_checked })
  }
}

async function checkHead(head: Of<'auditHead'>, trusted: Trusted, { hashes }: Walk): Promise<Checked> {
  const { position, hash, as_of } = head.document
  const faults = await signatureFaults(head, trusted, { purpose: 'audit_head', at: as_of })
  const found = hashes.get(position)
  if (found !== undefined && found !== hash) faults.push('the pages lead to another hash there.')
  const says = [`The log had ${position} entries at ${as_of}.`]
  if (found !== undefined && faults.length === 0) says.push('The pages were held against it.')
  return checkedOf('audit log head', `entry ${position}`, {
    says,
    faults,
    not_checked: found === undefined ? ['that the entries lead to it: name the pages up to it too.'] : [],
  })
}

async function checkRoot(root: SignedLiabilities, trusted: Trusted): Promise<Checked> {
  const { block_number, total, created_at } = root.document
  return checkedOf('liabilities', `block ${block_number}`, {
    says: [`${money(total)} is owed.`],
    faults: await signatureFaults(root, trusted, { purpose: 'liabilities', at: created_at }),
    not_checked: ['whether the wallets held it: ./market audit --liabilities tells.'],
  })
}

async function checkBalances({ liabilities, balances }: Of<'balances'>, trusted: Trusted): Promise<Checked> {
  const root = await checkRoot(liabilities, trusted)
  const outside = balances.filter((balance) => !isIncluded(balance, liabilities.document))
  const says = balances.map(({ account, amount }) => `${account}: ${money(amount)}`)
  const faults = outside.map(({ account }) => `the path of ${account} does not lead to the signed root.`)
  return { ...root, says: [...root.says, ...says], faults: [...root.faults, ...faults] }
}

async function signatureFaults(
  { document, key_id: keyId, signature }: { document: object; key_id: string; signature: string },
  { keys }: Trusted,
  as: { purpose: SigningPurpose; at: string },
): Promise<string[]> {
  return (await verifyDocument(document, { keyId, signature }, keys, as)) ? [] : [FAULTS.signature ?? '']
}

function checkedOf(kind: string, subject: string, result: Partial<Checked>): Checked {
  return { kind, subject, says: [], faults: [], not_checked: [], ...result }
}

function placeOf(after: string): AuditPlace {
  const [, position, hash] = /^(\d+):([0-9a-f]{64})$/.exec(after) ?? []
  if (position === undefined || hash === undefined)
    throw new Misuse('--after is <position>:<hash>, the hash as 64 hex digits.')
  return { position: Number(position), hash }
}
