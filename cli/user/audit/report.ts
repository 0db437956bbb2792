import type { AuditReport, ModeTotals } from '../../../audit/report.ts'
import { formatAmount } from '../../../protocol/encoding/amounts.ts'
import { printable } from '../../terminal/text.ts'

/** Returns the report as one JSON object: amounts as decimal strings, blocks as numbers. */
export function reportJson(report: AuditReport): string {
  return JSON.stringify(plainReport(report), null, 2)
}

/** Returns the report with amounts in wire form. */
export function plainReport(report: AuditReport) {
  return {
    ok: report.ok,
    chain_id: report.chainId,
    from_block: Number(report.fromBlock),
    to_block: Number(report.toBlock),
    to_block_hash: report.toBlockHash,
    escrow: report.escrow,
    hot_wallet: report.hotWallet,
    token: report.token,
    contract: plainTotals(report.contract),
    custodied: plainTotals(report.custodied),
    proofs: report.proofs.map(({ subject, by, keyId }) => ({
      receipt_urn: subject,
      by,
      ...(keyId ? { key_id: keyId } : {}),
    })),
    unnamed_payouts: report.unnamedPayouts,
    receipts_checked: report.receipts.checked,
    payouts_checked: report.payouts.checked,
    roots_checked: report.liabilities.roots,
    balances_checked: report.liabilities.balances,
    not_checked: report.notChecked,
    findings: report.findings,
  }
}

function plainTotals(totals: ModeTotals) {
  return {
    payments: totals.payments,
    distributed: totals.distributed,
    paid_in: formatAmount(totals.paidInMicros),
    held: formatAmount(totals.heldMicros),
    seller: formatAmount(totals.payeeMicros),
    buyer: formatAmount(totals.payerMicros),
    service: formatAmount(totals.feeMicros),
    withdrawn: formatAmount(totals.withdrawnMicros),
    balance: formatAmount(totals.balanceMicros),
  }
}

const PROOFS = {
  ...{ payer: 'the payer’s signature', payee: 'the seller’s signature', both: 'both signatures' },
  ...{ verdict: 'a verdict', untold: 'a verdict that a public receipt does not show' },
  ...{ chain: 'a party on the chain', elapsed: 'no objection in time', nothing: 'nothing' },
}

/**
 * Returns the proofs of the distributions, those of a verdict by its key, and the name of each distribution
 * without proof.
 */
function proofLines({ proofs }: AuditReport): string[] {
  if (proofs.length === 0) return []
  const counts = new Map<string, number>()
  for (const { by, keyId } of proofs) {
    const name = keyId ? `${PROOFS[by]} under the key ${keyId}` : PROOFS[by]
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const unproved = proofs.filter(({ by }) => by === 'untold' || by === 'elapsed' || by === 'nothing')
  return [
    `Shown by: ${[...counts].map(([name, count]) => `${name} ${count}`).join(', ')}`,
    ...unproved.map(({ subject, by }) => `Unproved, by ${PROOFS[by]}: ${printable(subject)}`),
  ]
}

/** Returns the report as text. Text of other authors is escaped, so that a terminal does not interpret it. */
export function reportText(report: AuditReport): string {
  const line = (name: string, { payments, distributed, ...totals }: ModeTotals) =>
    `${name}: ${payments} payments of ${formatAmount(totals.paidInMicros)}, ${distributed} distributed: seller ` +
    `${formatAmount(totals.payeeMicros)}, buyer ${formatAmount(totals.payerMicros)}, service ${formatAmount(totals.feeMicros)}; ` +
    `balance ${formatAmount(totals.balanceMicros)}`
  const { roots, balances } = report.liabilities
  return [
    `Blocks ${report.fromBlock} to ${report.toBlock} (${report.toBlockHash}) of chain ${report.chainId}`,
    line('contract ', report.contract),
    line('custodied', report.custodied),
    `${report.receipts.checked} receipts, ${report.payouts.checked} payout receipts, ${roots} signed roots and ${balances} balances checked`,
    ...proofLines(report),
    ...report.unnamedPayouts.map((hash) => `No seller is named by what was paid in for the payout ${hash}`),
    ...report.notChecked.map((sentence) => `Not checked: ${sentence}`),
    ...report.findings.map(({ code, subject, detail }) => `${code}  ${printable(subject)}\n    ${printable(detail)}`),
    report.ok ? 'Clean: what was checked is as it should be.' : `${report.findings.length} findings.`,
  ].join('\n')
}
