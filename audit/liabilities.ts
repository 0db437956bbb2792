import { type Address, getAddress, type PublicClient } from 'viem'
import { tokenAbi } from '../protocol/abi/token.ts'
import { formatAmount, parseAmount } from '../protocol/amounts.ts'
import {
  isIncluded,
  type LiabilitiesDocument,
  type LiabilityInclusion,
  type SignedLiabilities,
} from '../protocol/liabilities.ts'
import { type PublicKeyJwk, verifyDocument } from '../protocol/signing.ts'
import type { Deposit } from './custody.ts'
import { distinct } from './distinct.ts'
import { feeOf } from './fees.ts'
import type { AuditTarget, History } from './history.ts'
import type { Finding } from './report.ts'

/** Balances somebody was told they have, with the root they were told it of. */
export interface ToldBalances {
  liabilities: SignedLiabilities
  balances: readonly LiabilityInclusion[]
}

/** What signed roots are held against. */
export interface CustodyFacts {
  history: History
  deposits: readonly Deposit[]
  /** Further wallets that hold what is in custody, beside the hot wallet. */
  coldWallets: readonly Address[]
  keys: readonly PublicKeyJwk[]
}

/**
 * Checks each signed root: the signature, its chain and block, that the wallets held all of it there, and that it is not
 * less than what the deposits up to that block still leave owed. A root of a block outside the audited ones says nothing.
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
    const leastMicros = leastOwed(facts, blockNumber)
    if (owedMicros < leastMicros) {
      found(
        'understated',
        `It sums to ${document.total}; the deposits left at least ${formatAmount(leastMicros)} owed.`,
      )
    }
  }
  return findings
}

/** Everybody is to be shown one root: two of a block show two people different things. */
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

/** Checks balances that owners were told: each is in the tree of a root that a published key signed. */
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
  return verifyDocument(document, { keyId, signature }, keys)
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

/** What the wallets held at a block. The hot wallet's transfers say it, without a node that keeps old states. */
async function heldAt(
  client: PublicClient,
  { hotWallet, token }: AuditTarget,
  blockNumber: bigint,
  { history, coldWallets }: CustodyFacts,
): Promise<bigint> {
  const moved = history.transfers.filter((transfer) => transfer.blockNumber <= blockNumber)
  const sum = (side: 'from' | 'to') =>
    moved
      .filter((transfer) => transfer[side] === hotWallet)
      .reduce((total, { amountMicros }) => total + amountMicros, 0n)
  const cold = await Promise.all(
    coldWallets.map((wallet) =>
      client.readContract({ address: token, abi: tokenAbi, functionName: 'balanceOf', args: [wallet], blockNumber }),
    ),
  )
  return sum('to') - sum('from') + cold.reduce((total, balance) => total + balance, 0n)
}

/** The least that the deposits up to a block can have left owed: what was not paid out, less the highest fees. */
function leastOwed({ deposits }: CustodyFacts, blockNumber: bigint): bigint {
  let leastMicros = 0n
  for (const { transfer, legs, fees } of deposits) {
    if (transfer.blockNumber > blockNumber) continue
    const paidOut = [legs.payee, legs.payer].filter((leg) => leg && leg.blockNumber <= blockNumber)
    const leftMicros = paidOut.reduce((left, leg) => left - (leg?.amountMicros ?? 0n), transfer.amountMicros)
    const owedMicros = leftMicros - feeOf(transfer.amountMicros, Math.max(0, ...fees))
    if (owedMicros > 0n) leastMicros += owedMicros
  }
  return leastMicros
}
