import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, it } from 'node:test'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { ROOT } from '../../cli/machine/paths.ts'
import type { Stack } from '../kit/stack/stack.ts'

const run = promisify(execFile)

/** The programs of examples/, run as their readers run them. */
export function quickStart(stackOf: () => Stack): void {
  let directory: string
  let file: string
  before(async () => {
    const { baseUrl, rpcUrl, credentials } = stackOf()
    directory = await mkdtemp(join(tmpdir(), 'market-quickstart-'))
    file = join(directory, 'sandbox.json')
    await writeFile(file, JSON.stringify({ base_url: baseUrl, rpc_url: rpcUrl, human_token: credentials.human_token }))
  })
  after(() => rm(directory, { recursive: true }))

  const example = (name: string, ...args: string[]) => run(process.execPath, [`${ROOT}examples/${name}`, file, ...args])

  it('is traded on by the client of the quick start, which uses no code of ours', async () => {
    const { stdout } = await example('trade.mjs')
    expect(JSON.parse(stdout)).to.deep.include({ state: 'final', status: 'success' })
  })

  it('is traded on by the agents of examples/, told to the receiver, and its receipt found true by the auditor', async () => {
    const receiver = await start('webhooks.ts', file, '--events', '4')
    const seller = await start('seller.ts', file, '--orders', '1')
    const proof = join(directory, 'proof.json')
    await example('buyer.ts', '--query', '"verse to order"', '--proof', proof)
    expect(await seller.ended).to.match(/delivered market:order:[\s\S]+paid for market:order:\S+, in 0x/)
    expect(await receiver.ended)
      .to.include('order.placed {')
      .and.include('order.delivered {')
    const audited = await example('auditor.ts', proof)
    expect(audited.stdout).to.match(/the audit log is whole up to entry \d+, .+\nmarket:receipt:\S+: fits\n$/)
  })

  /** Starts a program, and waits for its first line. */
  async function start(name: string, ...args: string[]) {
    const child = spawn(process.execPath, [`${ROOT}examples/${name}`, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines: string[] = []
    const { promise: first, resolve, reject } = Promise.withResolvers<string>()
    const ended = new Promise<string>((end) => {
      createInterface(child.stdout)
        .on('line', (line) => {
          lines.push(line)
          resolve(line)
        })
        .once('close', () => {
          reject(new Error(`${name} ended without a word`))
          end(lines.join('\n'))
        })
    })
    await first
    return { ended }
  }
}
