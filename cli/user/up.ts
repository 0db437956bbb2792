import { parseArgs } from 'node:util'
import { readSandboxEnvironment } from '../machine/env.ts'
import { type HeldPort, holdFreePort, holdPort } from '../machine/ports.ts'
import type { SandboxFile } from '../machine/sandboxFile.ts'
import { Sandbox } from '../stack/sandbox.ts'
import { Misuse } from '../terminal/options.ts'
import { showStep } from '../terminal/progress.ts'
import { tradeForVisitor } from './demo/sample.ts'

const DEFAULT_PORT = 4020
/** The exit code of shells for a program that Ctrl-C ended. */
const INTERRUPTED = 130
const HIGHEST_PORT = 65_535
const USAGE = `Usage: ./market up [--port <number>]

Runs a whole market on this machine until Ctrl-C: Postgres, a chain with the contracts, and every process.
.market/sandbox.json says where it is reached, with its first credentials.

  --port  of the API; default ${DEFAULT_PORT}, or a free one where that is taken

With DATABASE_URL and RPC_URL set, those are used, and everything stays for the next time. Otherwise a new run is a new sandbox.
The index of the chain gets a database beside DATABASE_URL, or that of INDEX_DATABASE_URL.
DISPUTE_EVIDENCE_SECONDS says how long the parties of a dispute have for evidence; default 600.`

/** Runs the sandbox until a signal, or until a part of it is lost. */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { port: { type: 'string' }, help: { type: 'boolean' } } })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const untilSignal = Promise.withResolvers<never>().promise
  const code = await withSandbox((sandbox, stopping) => {
    console.log(describe(sandbox))
    const tell = (url: string) => console.log(`The sample trade, as its seller sees it: ${url}`)
    tradeForVisitor(sandbox, stopping, tell).catch((error: Error) => {
      if (!stopping.aborted) console.error(`The sample trade ended: ${error.message}`)
    })
    return untilSignal
  }, values.port)
  return code === INTERRUPTED ? 0 : code
}

/**
 * Runs a sandbox while `work` runs, and stops it; its signal aborts then. Returns the result of `work`, 130
 * if a signal came first, 1 if a part of the sandbox was lost.
 */
export async function withSandbox(
  work: (sandbox: SandboxFile, stopping: AbortSignal) => Promise<number>,
  port?: string,
): Promise<number> {
  const environment = readSandboxEnvironment()
  let isOver = false
  const ended = Promise.withResolvers<number>()
  const end = (code: number) => {
    isOver = true
    ended.resolve(code)
  }
  const stopping = new AbortController()
  const held = await choosePort(port)
  const sandbox = new Sandbox({
    port: held.port,
    releasePort: held.release,
    step: showStep,
    databaseUrl: environment.DATABASE_URL,
    indexUrl: environment.INDEX_DATABASE_URL,
    rpcUrl: environment.RPC_URL,
    evidenceSeconds: environment.DISPUTE_EVIDENCE_SECONDS,
    onNotice: (notice) => console.error(notice),
    onLoss: (failure) => {
      console.error(`${failure.message}\nThe chain was in memory: this sandbox is over.`)
      end(1)
    },
  })
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => end(INTERRUPTED))
  try {
    const done = sandbox.start().then((file) => work(file, stopping.signal))
    // A signal ends the wait for it; its result is then ignored.
    done.catch(() => {})
    return await Promise.race([done, ended.promise])
  } finally {
    stopping.abort()
    await showStep('Stopping', () => sandbox.stop())
    // A step that was interrupted, such as a build or a database that hangs, would keep the process alive.
    // The exit code is set by then.
    if (isOver) setImmediate(() => process.exit())
  }
}

/**
 * Takes the port of the API at once: it listens there only much later, and another `up` may be looking for
 * one.
 */
async function choosePort(wanted: string | undefined): Promise<HeldPort> {
  if (wanted === undefined) return (await holdPort(DEFAULT_PORT)) ?? holdFreePort()
  const port = Number(wanted)
  if (!Number.isInteger(port) || port < 1 || port > HIGHEST_PORT) throw new Misuse(`--port is not a port: ${wanted}`)
  const held = await holdPort(port)
  if (!held) throw new Error(`Port ${port} is taken. Name another one with --port.`)
  return held
}

function describe(sandbox: SandboxFile): string {
  const { base_url: baseUrl, console_url: consoleUrl, rpc_url: rpcUrl } = sandbox
  const { human_enrolment_url: human, operator_enrolment_url: operator } = sandbox
  const links = [
    ...(human ? [`  its first human  ${human}`] : []),
    ...(operator ? [`  its operator     ${operator}`] : []),
  ]
  return [
    ...['', 'The market is running.', ''],
    ...[`  the API          ${baseUrl}`, `  the console      ${consoleUrl}`, `  the chain's node ${rpcUrl}`, ''],
    'Its tokens and its database are in .market/sandbox.json, which only you can read. Commands act as the first human',
    'there, unless MARKET_TOKEN names somebody else.',
    '',
    ...(links.length
      ? [
          ...['Open one in a browser, to come in as', '', ...links, ''],
          'Then a sample trade happens by itself: an agent of the first human sells verse, and an agent of somebody else',
          'buys it. Who comes in as the first human sees it at the start page, under Latest orders.',
          '',
        ]
      : []),
    `What else there is to do: ${baseUrl}/docs`,
    `Ctrl-C stops it. The console: ${consoleUrl}`,
  ].join('\n')
}
