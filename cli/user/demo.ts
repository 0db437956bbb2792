import { parseArgs } from 'node:util'
import type { SignedReceipt } from '../../protocol/records/receipt.ts'
import { createMarket } from '../../sdk/market.ts'
import { readSandbox, type SandboxFile } from '../machine/sandboxFile.ts'
import { readAppeals } from './audit/appeals.ts'
import { readEscrowBuild } from './audit/escrowBuild.ts'
import { plainReport } from './audit/report.ts'
import { runAudit } from './audit.ts'
import { readDemoChain } from './demo/chain.ts'
import { checkSigned, type Verified } from './demo/checks.ts'
import { type DisputeRecord, disputedTrade } from './demo/dispute.ts'
import { createParties } from './demo/parties.ts'
import { type TaskRecord, taskTrade } from './demo/task.ts'
import { type TradeRecord, type TradeStep, trade } from './demo/trade.ts'
import { compareWatchers, startWatchers } from './demo/watchers.ts'
import { shareFiles, type WorkspaceRecord } from './demo/workspace.ts'
import { withSandbox } from './up.ts'

const USAGE = `Usage: ./market demo [--json]

Trades once in each escrow mode, and once more with a dispute, which is appealed in one of them, and has a task of an org done by a
seller, whose work becomes a page, against the running sandbox or one of its own. It follows all of it by each channel of the events, checks what
the service has signed, attaches files to a page, and audits the chain afterwards.
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
  const { config, chain } = await readDemoChain(sandbox)
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
  const reviewers = tokens.map((token) => createMarket({ baseUrl: sandbox.base_url, token }))
  const disputed: Partial<Record<(typeof MODES)[number], DisputeRecord>> = {}
  for (const mode of MODES) {
    say(`\nA disputed trade of 20 in ${mode} mode`)
    const onStep = (step: TradeStep) => say(stepLine(step))
    const record = await disputedTrade({ mode, parties, chain, onStep, ...(mode === 'custodied' ? { reviewers } : {}) })
    say(`  buyer ${record.split.buyer}, seller ${record.split.seller}, service ${record.split.fee}`)
    disputed[mode] = record
  }
  say('\nA task of the buyer’s org, done by the seller for 20')
  const task = await taskTrade({ sandbox, parties, chain, onStep: (step) => say(stepLine(step)) })
  showTask(task, say)
  const receipts = [...Object.values(records), ...Object.values(disputed), task].map(({ receipt }) => receipt)
  const verdicts = Object.values(disputed).map(({ verdict }) => verdict)
  const kept = { keys: config.keys.keys, feeBps: config.rules.fee_bps }
  const verified = await checkSigned(parties, kept, { rated: task.order_urn, receipts, verdicts })
  showVerified(verified, say)
  const watched = await compareWatchers(watchers)
  say(
    `\n${watched.channels.join(', ')}: ${watched.agree ? `each saw the same ${watched.events} event ids` : 'they saw different events'}`,
  )
  const shared = await shareFiles(sandbox)
  showFiles(shared, say)
  const report = await auditTrades(sandbox, { config, chain }, receipts)
  say(`\nAudit of the chain: ${report.ok ? 'clean' : `${report.findings.length} findings`}`)
  if (asJson)
    console.log(
      JSON.stringify(
        { ...records, disputed, task, verified, events: watched, workspace: shared, audit: plainReport(report) },
        null,
        2,
      ),
    )
  return report.ok && watched.agree ? 0 : 1
}

async function auditTrades(
  { rpc_url, base_url }: SandboxFile,
  { config, chain }: Awaited<ReturnType<typeof readDemoChain>>,
  receipts: readonly SignedReceipt[],
) {
  return runAudit(
    rpc_url,
    { ...chain, fromBlock: BigInt(config.start_block) },
    {
      fees: { signed: config.fees },
      keys: config.keys.keys,
      receipts: [...receipts],
      appeals: await readAppeals(undefined, base_url),
      build: await readEscrowBuild(),
    },
  )
}

type Say = (line: string) => void

function showTask({ page, found }: TaskRecord, say: Say): void {
  say(`  the page that came of it: ${page.title}: ${page.text}`)
  for (const { type, title, snippet } of found) say(`  search for verse    ${type} ${title}: ${snippet}`)
}

function showVerified({ receipts, verdicts, reputation }: Verified, say: Say): void {
  say(
    `\nSigned, and checked offline with the SDK: ${receipts} receipts, ${verdicts} verdicts, and the answer on the seller:`,
  )
  const { unweighted_count: count, weighted_rating_avg: average } = reputation.supporting
  say(
    `  ${count} receipts, rated ${average} on average: ${reputation.result ? 'meets' : 'does not meet'} what was asked`,
  )
}

function showFiles({ page, text, hit, preview }: WorkspaceRecord, say: Say): void {
  say(`\nFiles on a page: ${page.trim().replaceAll(/\s+/g, ' ')}`)
  say(`  text                ${text}`)
  say(`  search for herons   ${hit.filename}: ${hit.snippet}`)
  say(`  preview             ${preview.media_type}, ${preview.width} × ${preview.height}`)
}

function stepLine({ step, state, transaction }: TradeStep): string {
  return `  ${step.padEnd(46)}${state.padEnd(10)}${transaction ?? ''}`
}
