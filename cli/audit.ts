import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { createPublicClient, getAddress, http } from 'viem'
import { z } from 'zod'
import { getPublicConfig } from '../api/config/routes.ts'
import { audit, type Published } from '../audit/audit.ts'
import type { AuditTarget } from '../audit/history.ts'
import type { AuditReport, ModeTotals } from '../audit/report.ts'
import { formatAmount } from '../protocol/amounts.ts'
import { addressVariable } from '../protocol/environment.ts'
import { signedReceipt } from '../protocol/receipt.ts'
import { createClient } from '../sdk/client.ts'
import { readSandbox } from './sandboxFile.ts'

const USAGE = `Usage: ./market audit [options]

Proves settlement from chain data: exits 0 when nothing was found, 1 when something was. Without options it audits the running
sandbox. docs/audit.md says what is proved.

  --base-url <url>       read the public settings and keys of a service; options below win over them
  --rpc-url <url>        an EVM node
  --escrow, --hot-wallet, --token <address>
  --from-block <number>  the escrow's deployment block      --to-block <number>  default: the newest
  --fee-bps <number>     the fee of custodied orders, in hundredths of a percent
  --keys <file>          a JWKS: the published signing keys
  --receipts <file>      a JSON array of signed receipts
  --json                 one JSON object`

const options = {
  'base-url': { type: 'string' },
  'rpc-url': { type: 'string' },
  escrow: { type: 'string' },
  'hot-wallet': { type: 'string' },
  token: { type: 'string' },
  'from-block': { type: 'string' },
  'to-block': { type: 'string' },
  'fee-bps': { type: 'string' },
  keys: { type: 'string' },
  receipts: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

const jwks = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      alg: z.literal('Ed25519'),
      use: z.literal('sig'),
      kid: z.string(),
      x: z.string(),
    }),
  ),
})

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

/** Audits what the options name, prints the report, answers 0 when it is clean and 1 when it is not. */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const { rpcUrl, target, published } = await readSettings(values)
  const report = await runAudit(rpcUrl, target, published)
  console.log(values.json ? reportJson(report) : reportText(report))
  return report.ok ? 0 : 1
}

/** Audits up to the given block, or the newest. */
export async function runAudit(
  rpcUrl: string,
  target: Omit<AuditTarget, 'chainId' | 'toBlock'> & { toBlock?: bigint },
  published: Published,
): Promise<AuditReport> {
  const client = createPublicClient({ transport: http(rpcUrl) })
  const chainId = await client.getChainId()
  const toBlock = target.toBlock ?? (await client.getBlockNumber({ cacheTime: 0 }))
  return audit(client, { ...target, chainId, toBlock }, published)
}

/** The report as one JSON object: amounts as decimal strings, blocks as numbers. */
export function reportJson(report: AuditReport): string {
  return JSON.stringify(plainReport(report), null, 2)
}

/** The report with amounts in wire form. */
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

function reportText(report: AuditReport): string {
  const line = (name: string, { payments, distributed, ...totals }: ModeTotals) =>
    `${name}: ${payments} payments of ${formatAmount(totals.paidInMicros)}, ${distributed} distributed: seller ` +
    `${formatAmount(totals.payeeMicros)}, buyer ${formatAmount(totals.payerMicros)}, service ${formatAmount(totals.feeMicros)}; ` +
    `balance ${formatAmount(totals.balanceMicros)}`
  return [
    `Blocks ${report.fromBlock} to ${report.toBlock} (${report.toBlockHash}) of chain ${report.chainId}`,
    line('contract ', report.contract),
    line('custodied', report.custodied),
    `${report.receipts.checked} receipts checked`,
    ...report.findings.map(({ code, subject, detail }) => `${code}  ${subject}\n    ${detail}`),
    report.ok ? 'Clean.' : `${report.findings.length} findings.`,
  ].join('\n')
}

async function readSettings(values: Values) {
  const sandbox = values['rpc-url'] ? undefined : await readSandbox()
  const rpcUrl = values['rpc-url'] ?? sandbox?.rpc_url
  if (!rpcUrl)
    throw new Error('There is no running sandbox: name a node with --rpc-url. ./market audit --help tells more.')
  const baseUrl = values['base-url'] ?? sandbox?.base_url
  const config = baseUrl ? (await createClient({ baseUrl }).call(getPublicConfig, {})).body : undefined
  const need = <Value>(value: Value | undefined, option: string) => {
    if (value === undefined) throw new Error(`--${option} is needed, or a --base-url to read it from`)
    return value
  }
  const target = {
    escrow: addressVariable.parse(need(values.escrow ?? config?.escrow_contract, 'escrow')),
    hotWallet: addressVariable.parse(need(values['hot-wallet'] ?? config?.hot_wallet, 'hot-wallet')),
    token: getAddress(need(values.token ?? config?.token.address, 'token')),
    fromBlock: BigInt(need(values['from-block'] ?? config?.start_block, 'from-block')),
    ...(values['to-block'] ? { toBlock: BigInt(values['to-block']) } : {}),
  }
  const published: Published = {
    feeBps: Number(need(values['fee-bps'] ?? config?.rules.fee_bps, 'fee-bps')),
    keys: jwks.parse(values.keys ? await readJson(values.keys) : (config?.keys ?? { keys: [] })).keys,
    receipts: values.receipts ? z.array(signedReceipt).parse(await readJson(values.receipts)) : [],
  }
  return { rpcUrl, target, published }
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'))
}
