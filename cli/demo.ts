import { parseArgs } from 'node:util'
import { createPublicClient, defineChain, http } from 'viem'
import { getPublicConfig } from '../api/config/routes.ts'
import { createClient } from '../sdk/client.ts'
import { paymentMarket } from '../sdk/offer.ts'
import { checkVerdict } from '../sdk/verdicts.ts'
import { readAppeals } from './audit/appeals.ts'
import { readEscrowBuild } from './audit/escrowBuild.ts'
import { plainReport } from './audit/report.ts'
import { runAudit } from './audit.ts'
import type { DemoChain } from './demo/collect.ts'
import { type DisputeRecord, disputedTrade } from './demo/dispute.ts'
import { createParties } from './demo/parties.ts'
import { type TradeRecord, type TradeStep, trade } from './demo/trade.ts'
import { compareWatchers, startWatchers } from './demo/watchers.ts'
import { shareFiles } from './demo/workspace.ts'
import { readSandbox, type SandboxFile } from './sandboxFile.ts'
import { withSandbox } from './up.ts'

const USAGE = `Usage: ./market demo [--json]

Trades once in each escrow mode, and once more with a dispute, which is appealed in one of them, against the running sandbox or one
of its own, follows all of it by each channel of the events, attaches files to a page, and audits the chain afterwards.
--json prints one JSON object on stdout.`

const MODES = ['contract', 'custodied'] as const

/** Runs the demonstration. Returns 0 when both trades and the audit succeed, else 1. */
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
  const watchers = await startWatchers({ baseUrl: sandbox.base_url, token: parties.buyer.token })
  const records: Partial<Record<(typeof MODES)[number], TradeRecord>> = {}
  for (const mode of MODES) {
    say(`\nA trade of 20 in ${mode} mode`)
    const record = await trade({ mode, parties, chain, onStep: (step) => say(stepLine(step)) })
    say(`  seller ${record.seller}, service ${record.service}`)
    records[mode] = record
  }
  const tokens = sandbox.reviewer_tokens ?? []
  const reviewers = tokens.map((token) => createClient({ baseUrl: sandbox.base_url, token }))
  const disputed: Partial<Record<(typeof MODES)[number], DisputeRecord>> = {}
  for (const mode of MODES) {
    say(`\nA disputed trade of 20 in ${mode} mode`)
    const onStep = (step: TradeStep) => say(stepLine(step))
    const record = await disputedTrade({ mode, parties, chain, onStep, ...(mode === 'custodied' ? { reviewers } : {}) })
    const faults = await checkVerdict(record.verdict, config.keys.keys, config.rules.fee_bps)
    if (faults.length > 0) throw new Error(`the verdict does not verify: ${faults.join(', ')}`)
    say(`  buyer ${record.split.buyer}, seller ${record.split.seller}, service ${record.split.fee}`)
    disputed[mode] = record
  }
  const watched = await compareWatchers(watchers)
  say(
    `\n${watched.channels.join(', ')}: ${watched.agree ? `each saw the same ${watched.events} event ids` : 'they saw different events'}`,
  )
  const shared = await shareFiles(sandbox)
  say(`\nFiles on a page: ${shared.page.trim().replaceAll(/\s+/g, ' ')}`)
  say(`  text                ${shared.text}`)
  say(`  search for herons   ${shared.hit.filename}: ${shared.hit.snippet}`)
  say(`  preview             ${shared.preview.media_type}, ${shared.preview.width} × ${shared.preview.height}`)
  const report = await runAudit(
    sandbox.rpc_url,
    { ...chain, fromBlock: BigInt(config.start_block) },
    {
      fees: { signed: config.fees },
      keys: config.keys.keys,
      receipts: [...Object.values(records), ...Object.values(disputed)].map(({ receipt }) => receipt),
      appeals: await readAppeals(undefined, sandbox.base_url),
      build: await readEscrowBuild(),
    },
  )
  say(`\nAudit of the chain: ${report.ok ? 'clean' : `${report.findings.length} findings`}`)
  if (asJson)
    console.log(
      JSON.stringify({ ...records, disputed, events: watched, workspace: shared, audit: plainReport(report) }, null, 2),
    )
  return report.ok && watched.agree ? 0 : 1
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
    rpc: createPublicClient({ chain, transport: http(), pollingInterval: 100, ccipRead: false }),
    chain,
    escrow: config.escrow_contract,
    token: config.token.address,
    hotWallet: config.hot_wallet,
    feeRecipient: config.fee_recipient,
    market: paymentMarket(config),
  }
}
