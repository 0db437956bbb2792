import type { Address, Hex, PublicClient } from 'viem'
import { escrowAbi } from '../protocol/generated/escrow.ts'
import { tokenAbi } from '../protocol/generated/token.ts'
import { readEscrowChainId } from '../protocol/payments/escrowChainId.ts'
import { auditClaimable, auditOutflows, type ClaimableCredits, compareClaimable } from './claimable.ts'
import { proveColdWallets } from './coldWallets.ts'
import { auditCustody, type CustodyResult, type Deposit } from './custody.ts'
import { auditEscrowCode } from './escrowCode.ts'
import { auditFees, feeBlocks, feeOf } from './fees.ts'
import { type AuditTarget, type History, readHistory } from './history.ts'
import { auditHolds, compareHolds, type Hold } from './holds.ts'
import { auditInclusions, auditLiabilities, auditRootAge } from './liabilities.ts'
import { auditPayees } from './payees.ts'
import { auditPayouts } from './payouts.ts'
import type { Published } from './published.ts'
import { auditReceipts } from './receipts.ts'
import { auditRedirects } from './redirects.ts'
import { auditReleaseEvidence } from './releaseEvidence.ts'
import type { AuditReport, Finding, ModeTotals } from './report.ts'
import { auditSolvency } from './solvency.ts'
import { uncheckedOf, unnamedPayouts } from './unchecked.ts'

/**
 * Re-derives every hold, split, withdrawal, deposit and payout from the chain, and compares. Reads no
 * database of ours.
 */
export async function audit(client: PublicClient, given: AuditTarget, published: Published): Promise<AuditReport> {
  // If the chain's id has changed, everything was hashed and signed under the former one.
  const hashedChain = await readEscrowChainId(client, given.escrow, given.toBlock)
  const target = { ...given, chainId: hashedChain ?? given.chainId }
  const block = await client.getBlock({ blockNumber: target.toBlock })
  const history = await readHistory(client, target)
  const { holds, findings: holdFindings } = auditHolds(history, target)
  const { credits, findings: claimableFindings } = auditClaimable(history)
  const { coldWallets = [] } = published
  const { proven, findings: coldFindings } = await proveColdWallets(client, target, coldWallets)
  const custody = auditCustody(history, target, {
    coldWallets: coldWallets.map(({ address }) => address),
    appeals: published.appeals ?? [],
    fees: await feeBlocks(client, target, published.fees),
  })
  const balances = await readBalances(client, target)
  const facts = { holds, deposits: custody.deposits, at: target }
  const evidence = await auditReleaseEvidence(client, published.receipts, published.keys, facts)
  const findings = [
    ...evidence.findings,
    ...holdFindings,
    ...claimableFindings,
    ...(await compareHolds(client, target, holds)),
    ...(await compareClaimable(client, target, credits)),
    ...auditOutflows(history, target),
    ...(await auditFees(target, published.fees, published.keys)),
    ...custody.findings,
    ...(await auditRedirects(client, target, custody.deposits)),
    ...coldFindings,
    ...(await auditSolvency(client, target, custody.deposits, proven)),
    ...(published.build ? await auditEscrowCode(client, target, published.build) : []),
    ...compareBalances(history, target, balances),
    ...compareOwed(target.escrow, { holds, credits, balances }),
    ...(await auditPublished(client, target, published, { history, holds, deposits: custody.deposits, proven })),
  ]
  await requireSameChain(client, target, block.hash)
  return {
    ok: findings.length === 0,
    chainId: target.chainId,
    fromBlock: target.fromBlock,
    toBlock: target.toBlock,
    escrow: target.escrow,
    hotWallet: target.hotWallet,
    token: target.token,
    toBlockHash: block.hash,
    contract: contractTotals(history, holds, balances.escrowMicros),
    custodied: custodiedTotals(custody, balances.hotWalletMicros),
    ...checkedOf(published),
    proofs: evidence.proofs,
    unnamedPayouts: unnamedPayouts(custody.deposits),
    notChecked: uncheckedOf(published, holds, custody.deposits),
    findings,
  }
}

/** Returns how many of the given records were checked. */
function checkedOf({ receipts, payouts = [], liabilities = [], balances = [] }: Published) {
  return {
    receipts: { checked: receipts.length },
    payouts: { checked: payouts.length },
    liabilities: { roots: liabilities.length, balances: sumOf(balances, ({ balances: told }) => told.length) },
  }
}

/**
 * Throws if the chain reorganised away from the audited block meanwhile: answers from two forks cannot be
 * combined.
 */
async function requireSameChain(client: PublicClient, { toBlock }: AuditTarget, blockHash: Hex): Promise<void> {
  const { hash } = await client.getBlock({ blockNumber: toBlock })
  if (hash === blockHash) return
  throw new Error(
    `block ${toBlock} was ${blockHash} and is ${hash}: the chain went back, or the node is two. Try again.`,
  )
}

/** Facts derived from the chain, to compare with the service's own records. */
interface ChainRecords {
  history: History
  holds: readonly Hold[]
  deposits: readonly Deposit[]
  /** Cold wallets that proved their control. */
  proven: readonly Address[]
}

/** Compares everything the service published and signed with the chain. */
async function auditPublished(
  client: PublicClient,
  target: AuditTarget,
  published: Published,
  { history, holds, deposits, proven }: ChainRecords,
): Promise<Finding[]> {
  const { keys, receipts, payouts = [], liabilities = [], balances = [], coldWallets = [], malformed = [] } = published
  const named = coldWallets.map(({ address }) => address)
  const custody = { history, deposits, coldWallets: named, provenWallets: proven, keys }
  return [
    ...malformed.map((one) => ({ code: 'record/malformed', ...one })),
    ...(await auditReceipts(receipts, keys, { holds, deposits, at: target })),
    ...(await auditPayouts(client, target, payouts, deposits)),
    ...(await auditPayees(client, target, payouts, published.payees ?? {})),
    ...(await auditLiabilities(client, target, liabilities, custody)),
    ...(await auditRootAge(client, target, liabilities, published.liabilitySeconds)),
    ...(await auditInclusions(balances, keys)),
  ]
}

interface Balances {
  escrowMicros: bigint
  hotWalletMicros: bigint
  owedMicros: bigint
}

async function readBalances(client: PublicClient, at: AuditTarget): Promise<Balances> {
  const token = { address: at.token, abi: tokenAbi, functionName: 'balanceOf', blockNumber: at.toBlock } as const
  const [escrowMicros, hotWalletMicros, owedMicros] = await Promise.all([
    client.readContract({ ...token, args: [at.escrow] }),
    client.readContract({ ...token, args: [at.hotWallet] }),
    client.readContract({ address: at.escrow, abi: escrowAbi, functionName: 'totalOwed', blockNumber: at.toBlock }),
  ])
  return { escrowMicros, hotWalletMicros, owedMicros }
}

const sumOf = <Item>(items: readonly Item[], count: (item: Item) => number) =>
  items.reduce((total, item) => total + count(item), 0)
const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((total, amount) => total + amount, 0n)

function compareBalances(history: History, at: AuditTarget, balances: Balances): Finding[] {
  const net = (address: string) =>
    sum(history.transfers.filter(({ to }) => to === address).map(({ amountMicros }) => amountMicros)) -
    sum(history.transfers.filter(({ from }) => from === address).map(({ amountMicros }) => amountMicros))
  const findings: Finding[] = []
  for (const [subject, derived, held] of [
    [at.escrow, net(at.escrow), balances.escrowMicros],
    [at.hotWallet, net(at.hotWallet), balances.hotWalletMicros],
  ] as const) {
    if (derived !== held) {
      findings.push({
        code: 'balance/differs',
        subject,
        detail: `Its transfers add up to ${derived}, and it holds ${held}.`,
      })
    }
  }
  if (balances.owedMicros > balances.escrowMicros) {
    findings.push({
      code: 'escrow/insolvent',
      subject: at.escrow,
      detail: `It owes ${balances.owedMicros} and holds ${balances.escrowMicros}.`,
    })
  }
  return findings
}

/**
 * Compares the sum that the events leave owed with what the contract reports: only the total, since a node
 * can omit either part.
 */
function compareOwed(
  escrow: Address,
  { holds, credits, balances }: { holds: readonly Hold[]; credits: ClaimableCredits; balances: Balances },
): Finding[] {
  const heldMicros = sum(holds.filter(({ ending }) => !ending).map(({ terms }) => terms.amount))
  const dueMicros = sum([...credits.values()].map((credit) => credit.creditedMicros - credit.withdrawnMicros))
  if (heldMicros + dueMicros === balances.owedMicros) return []
  const detail = `Its events leave ${heldMicros} held and ${dueMicros} due; it says that it owes ${balances.owedMicros}.`
  return [{ code: 'escrow/owed-differs', subject: escrow, detail }]
}

function contractTotals(history: History, holds: readonly Hold[], balanceMicros: bigint): ModeTotals {
  const ended = holds.flatMap(({ split }) => (split ? [split] : []))
  const withdrawals = history.escrowEvents.flatMap((event) =>
    event.eventName === 'Withdrawn' ? [event.args.amount] : [],
  )
  return {
    payments: holds.length,
    distributed: ended.length,
    paidInMicros: sum(holds.map(({ terms }) => terms.amount)),
    heldMicros: sum(holds.filter(({ ending }) => !ending).map(({ terms }) => terms.amount)),
    payeeMicros: sum(ended.map(({ payeeMicros }) => payeeMicros)),
    payerMicros: sum(ended.map(({ payerMicros }) => payerMicros)),
    feeMicros: sum(ended.map(({ feeMicros }) => feeMicros)),
    withdrawnMicros: sum(withdrawals),
    balanceMicros,
  }
}

function custodiedTotals({ deposits }: CustodyResult, balanceMicros: bigint): ModeTotals {
  const paidOut = deposits.filter(({ legs }) => legs.payee || legs.payer)
  // The rest after a refund is the seller's, less the fee, and may still be in transit.
  const fees = paidOut.map(({ transfer: { amountMicros }, legs: { payer, payee }, fees: [feeBps = 0] }) => {
    const leftMicros = amountMicros - (payer?.amountMicros ?? 0n)
    return payee ? leftMicros - payee.amountMicros : feeOf(leftMicros, feeBps)
  })
  const legSum = (leg: 'payee' | 'payer') => sum(paidOut.map(({ legs }) => legs[leg]?.amountMicros ?? 0n))
  return {
    payments: deposits.length,
    distributed: paidOut.length,
    paidInMicros: sum(deposits.map(({ transfer }) => transfer.amountMicros)),
    heldMicros: sum(
      deposits.filter((deposit) => !paidOut.includes(deposit)).map(({ transfer }) => transfer.amountMicros),
    ),
    payeeMicros: legSum('payee'),
    payerMicros: legSum('payer'),
    feeMicros: sum(fees),
    withdrawnMicros: legSum('payee') + legSum('payer'),
    balanceMicros,
  }
}
