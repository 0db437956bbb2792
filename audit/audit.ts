import { type Address, type Hex, type PublicClient, parseAbi } from 'viem'
import { escrowAbi } from '../protocol/abi/escrow.ts'
import type { SignedLiabilities } from '../protocol/liabilities.ts'
import type { PayoutReceipt } from '../protocol/payoutReceipt.ts'
import type { SignedReceipt } from '../protocol/receipt.ts'
import type { PublicKeyJwk } from '../protocol/signing.ts'
import { auditClaims, auditOutflows, type Claims, compareClaims } from './claims.ts'
import { auditCustody, type CustodyResult, type Deposit } from './custody.ts'
import { auditFees, feeBlocks, feeOf, type ToldFees } from './fees.ts'
import { type AuditTarget, type History, readHistory } from './history.ts'
import { auditHolds, compareHolds, type Hold } from './holds.ts'
import { auditInclusions, auditLiabilities, type ToldBalances } from './liabilities.ts'
import { auditPayouts } from './payouts.ts'
import { auditReceipts } from './receipts.ts'
import { auditRedirects } from './redirects.ts'
import type { AuditReport, Finding, ModeTotals } from './report.ts'
import { uncheckedOf } from './unchecked.ts'

/** A record that is none: what findings call it, and a sentence about what is wrong with it. */
export type Malformed = Omit<Finding, 'code'>

/** What the auditor was given besides the chain: all of it optional, none of it trusted. */
export interface Published {
  fees: ToldFees
  keys: readonly PublicKeyJwk[]
  receipts: readonly SignedReceipt[]
  /** What owners were told of payouts to them. */
  payouts?: readonly PayoutReceipt[]
  /** Signed roots of everything that is owed. */
  liabilities?: readonly SignedLiabilities[]
  /** Balances that owners were told they have in those trees. */
  balances?: readonly ToldBalances[]
  /** Of what the last page was not given. */
  cutOff?: readonly string[]
  /** What was given as one of these and cannot be read as one. */
  malformed?: readonly Malformed[]
  /** Wallets beside the hot wallet that hold what is in custody. */
  coldWallets?: readonly Address[]
}

const BALANCE = parseAbi(['function balanceOf(address) view returns (uint256)'])

/** Re-derives every hold, split, withdrawal, deposit and payout from the chain, and compares. Reads no database of ours. */
export async function audit(client: PublicClient, target: AuditTarget, published: Published): Promise<AuditReport> {
  const block = await client.getBlock({ blockNumber: target.toBlock })
  const history = await readHistory(client, target)
  const { holds, findings: holdFindings } = auditHolds(history, target)
  const { claims, findings: claimFindings } = auditClaims(history)
  const { coldWallets = [] } = published
  const custody = auditCustody(history, target, {
    coldWallets,
    fees: await feeBlocks(client, target, published.fees),
  })
  const balances = await readBalances(client, target)
  const findings = [
    ...holdFindings,
    ...claimFindings,
    ...(await compareHolds(client, target, holds)),
    ...(await compareClaims(client, target, claims)),
    ...auditOutflows(history, target.escrow),
    ...(await auditFees(target, published.fees, published.keys)),
    ...custody.findings,
    ...(await auditRedirects(client, target, custody.deposits)),
    ...compareBalances(history, target, balances),
    ...compareOwed(target.escrow, { holds, claims, balances }),
    ...(await auditPublished(client, target, published, { history, holds, deposits: custody.deposits })),
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
    receipts: { checked: published.receipts.length },
    payouts: { checked: published.payouts?.length ?? 0 },
    liabilities: {
      roots: published.liabilities?.length ?? 0,
      balances: sumOf(published.balances ?? [], ({ balances: told }) => told.length),
    },
    notChecked: uncheckedOf(published, holds, custody.deposits),
    findings,
  }
}

/** Throws when the chain has left the audited block meanwhile: answers of two chains say nothing together. */
async function requireSameChain(client: PublicClient, { toBlock }: AuditTarget, blockHash: Hex): Promise<void> {
  const { hash } = await client.getBlock({ blockNumber: toBlock })
  if (hash === blockHash) return
  throw new Error(
    `block ${toBlock} was ${blockHash} and is ${hash}: the chain went back, or the node is two. Try again.`,
  )
}

/** Holds everything the service said, and signed, against the chain. */
async function auditPublished(
  client: PublicClient,
  target: AuditTarget,
  published: Published,
  { history, holds, deposits }: { history: History; holds: readonly Hold[]; deposits: readonly Deposit[] },
): Promise<Finding[]> {
  const { keys, receipts, payouts = [], liabilities = [], balances = [], coldWallets = [], malformed = [] } = published
  const custody = { history, deposits, coldWallets, keys }
  return [
    ...malformed.map((one) => ({ code: 'record/malformed', ...one })),
    ...(await auditReceipts(receipts, keys, { holds, deposits, at: target })),
    ...(await auditPayouts(client, target, payouts, deposits)),
    ...(await auditLiabilities(client, target, liabilities, custody)),
    ...(await auditInclusions(balances, keys)),
  ]
}

interface Balances {
  escrowMicros: bigint
  hotWalletMicros: bigint
  owedMicros: bigint
}

async function readBalances(client: PublicClient, at: AuditTarget): Promise<Balances> {
  const token = { address: at.token, abi: BALANCE, functionName: 'balanceOf', blockNumber: at.toBlock } as const
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

/** Compares all that the events leave owed with what the contract says it owes: together, since either can be left out. */
function compareOwed(
  escrow: Address,
  { holds, claims, balances }: { holds: readonly Hold[]; claims: Claims; balances: Balances },
): Finding[] {
  const heldMicros = sum(holds.filter(({ ending }) => !ending).map(({ terms }) => terms.amount))
  const dueMicros = sum([...claims.values()].map((claim) => claim.creditedMicros - claim.withdrawnMicros))
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
  // What is left of a refund is the seller's, less the fee, and may be on its way yet.
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
