import { type Address, getAddress, type PublicClient } from 'viem'
import { formatAmount, parseAmount } from '../protocol/encoding/amounts.ts'
import { type PublicKeyJwk, verifyDocument } from '../protocol/keys/signing.ts'
import { isIncluded } from '../protocol/liabilities/inclusion.ts'
import type { LiabilitiesDocument, LiabilityInclusion, SignedLiabilities } from '../protocol/liabilities/liabilities.ts'
import type { Deposit } from './custody.ts'
import { distinct } from './distinct.ts'
import type { AuditTarget, History } from './history.ts'
import type { Finding } from './report.ts'
import { balanceOfAll, leastOwed } from './solvency.ts'

const DEFAULT_PERIOD_SECONDS = 3_600
// A root is late while the ledger is behind the chain; one this many periods old counts as withheld.
const PERIODS_AT_MOST = 3

/** Balances that an owner was given, with the root they belong to. */
export interface ToldBalances {
  liabilities: SignedLiabilities
  balances: readonly LiabilityInclusion[]
}

/** The facts that signed roots are compared with. */
export interface CustodyFacts {
  history: History
  deposits: readonly Deposit[]
  /** Wallets beside the hot wallet that hold custody money. */
  coldWallets: readonly Address[]
  /** The wallets with a valid proof of control: no other wallet's balance counts. */
  provenWallets: readonly Address[]
  keys: readonly PublicKeyJwk[]
}

/**
 * Checks each signed root: the signature, its chain and block, that the wallets held all of it there, and
 * that it is not less than what the deposits up to that block leave owed. A root outside the audited blocks
 * is not checked.
 */
export async function auditLiabilities(
  client: PublicClient,
  target: AuditTarget,
  roots: readonly SignedLiabilities[],
  facts: CustodyFacts,
): Promise<Finding[]> {
  const told = distinct(roots)
  const findings = contradictions(told)
  for (const signed of told) {
    const { document } = signed
    const subject = nameOf(document)
    const found = (code: string, detail: string) => findings.push({ code: `liabilities/${code}`, subject, detail })
    if (!(await isSigned(signed, facts.keys))) found('bad-signature', 'None of the published keys signed this root.')
    if (!isOfTarget(document, target, facts.coldWallets)) {
      found('wrong-place', 'It is of another chain, token or wallet than the audited ones.')
    }
    const blockNumber = BigInt(document.block_number)
    if (!isAudited(document, target)) {
      found('outside', `Blocks ${target.fromBlock} to ${target.toBlock} were audited: its own is not among them.`)
      continue
    }
    const { hash } = await client.getBlock({ blockNumber })
    if (hash !== document.block_hash) found('wrong-block', `The chain has ${hash} at that block.`)
    const heldMicros = await heldAt(client, target, blockNumber, facts)
    const owedMicros = parseAmount(document.total) ?? -1n
    if (owedMicros > heldMicros) {
      found('insolvent', `${document.total} was owed, and the wallets held ${formatAmount(heldMicros)}.`)
    }
    const leastMicros = leastOwed(facts.deposits, blockNumber)
    if (owedMicros < leastMicros) {
      found(
        'understated',
        `It sums to ${document.total}; the deposits left at least ${formatAmount(leastMicros)} owed.`,
      )
    }
  }
  return findings
}

/**
 * Returns a finding if the newest root in the audited blocks is older than a few periods: a service that
 * stops publishing, or hides what it published, shows its last sound root. Ages are measured between blocks.
 */
export async function auditRootAge(
  client: PublicClient,
  target: AuditTarget,
  roots: readonly SignedLiabilities[],
  periodSeconds = DEFAULT_PERIOD_SECONDS,
): Promise<Finding[]> {
  const audited = roots.map(({ document }) => document).filter((document) => isAudited(document, target))
  const newest = audited.toSorted((one, other) => other.block_number - one.block_number)[0]
  if (!newest) return []
  const [published, last] = await Promise.all(
    [BigInt(newest.block_number), target.toBlock].map((blockNumber) => client.getBlock({ blockNumber })),
  )
  const ageSeconds = (last?.timestamp ?? 0n) - (published?.timestamp ?? 0n)
  if (ageSeconds <= BigInt(PERIODS_AT_MOST * periodSeconds)) return []
  const detail =
    `No newer root was given, and it is ${ageSeconds} s old: one is published every ${periodSeconds} s. ` +
    'The next one waits until the ledger equals the chain at a confirmed block: read GET /v1/liabilities again, and audit again.'
  return [{ code: 'liabilities/outdated', subject: nameOf(newest), detail }]
}

/** Every reader must be shown the same root: two roots of one block contradict each other. */
function contradictions(roots: readonly SignedLiabilities[]): Finding[] {
  const blocks = new Set<number>()
  return roots.flatMap(({ document }) => {
    const isSecond = blocks.has(document.block_number)
    blocks.add(document.block_number)
    const detail = 'Another root was given that is of the same block.'
    return isSecond ? [{ code: 'liabilities/contradicted', subject: nameOf(document), detail }] : []
  })
}

function nameOf(document: LiabilitiesDocument): string {
  return `liabilities at block ${document.block_number}`
}

/** Checks balances that owners were given: each is in the tree of a root that a published key signed. */
export async function auditInclusions(
  told: readonly ToldBalances[],
  keys: readonly PublicKeyJwk[],
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { liabilities, balances } of told) {
    const isRootSigned = await isSigned(liabilities, keys)
    for (const balance of balances) {
      if (isRootSigned && isIncluded(balance, liabilities.document)) continue
      findings.push({
        code: 'liabilities/not-included',
        subject: balance.account,
        detail: `${balance.amount} is not in the signed tree of block ${liabilities.document.block_number}.`,
      })
    }
  }
  return findings
}

function isSigned({ document, key_id: keyId, signature }: SignedLiabilities, keys: readonly PublicKeyJwk[]) {
  return verifyDocument(document, { keyId, signature }, keys, { purpose: 'liabilities', at: document.created_at })
}

function isAudited({ block_number }: LiabilitiesDocument, { fromBlock, toBlock }: AuditTarget): boolean {
  return BigInt(block_number) >= fromBlock && BigInt(block_number) <= toBlock
}

function isOfTarget(document: LiabilitiesDocument, target: AuditTarget, coldWallets: readonly Address[]): boolean {
  const known = [target.hotWallet, ...coldWallets].map((wallet) => getAddress(wallet))
  const named = document.wallets.map((wallet) => getAddress(wallet))
  return (
    document.network === `eip155:${target.chainId}` &&
    getAddress(document.token) === getAddress(target.token) &&
    named.includes(getAddress(target.hotWallet)) &&
    new Set(named).size === named.length &&
    named.every((wallet) => known.includes(wallet))
  )
}

/**
 * Returns what the wallets held at a block. The hot wallet's balance is derived from its transfers, which
 * needs no archive node.
 */
async function heldAt(
  client: PublicClient,
  { hotWallet, token }: AuditTarget,
  blockNumber: bigint,
  { history, provenWallets }: CustodyFacts,
): Promise<bigint> {
  const moved = history.transfers.filter((transfer) => transfer.blockNumber <= blockNumber)
  const sum = (side: 'from' | 'to') =>
    moved
      .filter((transfer) => transfer[side] === hotWallet)
      .reduce((total, { amountMicros }) => total + amountMicros, 0n)
  return sum('to') - sum('from') + (await balanceOfAll(client, token, provenWallets, blockNumber))
}
