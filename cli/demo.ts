import { parseArgs } from 'node:util'
import { createPublicClient, defineChain, http } from 'viem'
import { getPublicConfig } from '../api/config/routes.ts'
import { createClient } from '../sdk/client.ts'
import { plainReport } from './audit/report.ts'
import { runAudit } from './audit.ts'
import type { DemoChain } from './demo/collect.ts'
import { createParties } from './demo/parties.ts'
import { type TradeRecord, type TradeStep, trade } from './demo/trade.ts'
import { readSandbox, type SandboxFile } from './sandboxFile.ts'
import { withSandbox } from './up.ts'

const USAGE = `Usage: ./market demo [--json]

Trades once in each escrow mode, against the running sandbox or one of its own, and audits the chain afterwards.
--json prints one JSON object on stdout.`

const MODES = ['contract', 'custodied'] as const

/** Runs the demonstration. Answers 0 when both trades and the audit came out, 1 when not. */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { json: { type: 'boolean', default: false }, help: { type: 'boolean' } },
  })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const running = await readSandbox()
  return running ? demonstrate(running, values.json) : withSandbox((sandbox) => demonstrate(sandbox, values.json))
}

async function demonstrate(sandbox: SandboxFile, asJson: boolean): Promise<number> {
  const say = (line: string) => (asJson ? process.stderr : process.stdout).write(`${line}\n`)
  const config = await readConfig(sandbox.base_url)
  const chain = demoChain(sandbox, config)
  const parties = await createParties(sandbox)
  const records: Partial<Record<(typeof MODES)[number], TradeRecord>> = {}
  for (const mode of MODES) {
    say(`\nA trade of 20 in ${mode} mode`)
    const record = await trade({ mode, parties, chain, onStep: (step) => say(stepLine(step)) })
    say(`  seller ${record.seller}, service ${record.service}`)
    records[mode] = record
  }
  const report = await runAudit(
    sandbox.rpc_url,
    { ...chain, fromBlock: BigInt(config.start_block) },
    {
      fees: { signed: config.fees },
      keys: config.keys.keys,
      receipts: Object.values(records).map(({ receipt }) => receipt),
    },
  )
  say(`\nAudit of the chain: ${report.ok ? 'clean' : `${report.findings.length} findings`}`)
  if (asJson) console.log(JSON.stringify({ ...records, audit: plainReport(report) }, null, 2))
  return report.ok ? 0 : 1
}

function stepLine({ step, state, transaction }: TradeStep): string {
  return `  ${step.padEnd(40)}${state.padEnd(10)}${transaction ?? ''}`
}

type Config = Awaited<ReturnType<typeof readConfig>>

async function readConfig(baseUrl: string) {
  return (await createClient({ baseUrl }).call(getPublicConfig, {})).body
}

function demoChain(sandbox: SandboxFile, config: Config): DemoChain {
  const chain = defineChain({
    id: config.chain_id,
    name: 'sandbox',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [sandbox.rpc_url] } },
  })
  return {
    rpcUrl: sandbox.rpc_url,
    rpc: createPublicClient({ chain, transport: http(), pollingInterval: 100 }),
    chain,
    escrow: config.escrow_contract,
    token: config.token.address,
    hotWallet: config.hot_wallet,
    feeRecipient: config.fee_recipient,
    tokenName: config.token.eip712_domain,
  }
}
