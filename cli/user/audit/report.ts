import type { AuditReport, ModeTotals } from '../../../audit/report.ts'
import { formatAmount } from '../../../protocol/amounts.ts'
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
    ...report.notChecked.map((sentence) => `Not checked: ${sentence}`),
    ...report.findings.map(({ code, subject, detail }) => `${code}  ${printable(subject)}\n    ${printable(detail)}`),
    report.ok ? 'Clean: what was checked is as it should be.' : `${report.findings.length} findings.`,
  ].join('\n')
}
