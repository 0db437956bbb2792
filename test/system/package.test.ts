import { execFile } from 'node:child_process'
import { chmod, lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { unprivilegedAccount } from '../../cli/machine/account.ts'
import { SERVICES } from '../../cli/stack/services.ts'
import { buildServerPackage } from '../../cli/tools/internal/serverPackage.ts'
import { readDemoChain } from '../../cli/user/demo/chain.ts'
import { createParties } from '../../cli/user/demo/parties.ts'
import { trade } from '../../cli/user/demo/trade.ts'
import { shareFiles } from '../../cli/user/demo/workspace.ts'
import type { SignedReceipt } from '../../protocol/records/receipt.ts'
import { withoutRedis } from '../kit/redis.ts'
import { missingWebProxy } from '../kit/stack/webProxy.ts'
import { accountOf, type PackagedMarket, startPackagedMarket, userOf } from './package/market.ts'

const MODES = ['contract', 'custodied'] as const
// It takes minutes: npm unpacks all packages.
const reason = process.env.MARKET_TEST_DEEP ? withoutRedis() || missingWebProxy('nginx') : 'runs in test deep'

describe('the folder of ./market package server', { skip: reason ?? false, timeout: 600_000 }, () => {
  let state: string
  let folder: string
  let market: PackagedMarket
  let files: string[]
  const receipts: SignedReceipt[] = []

  before(async () => {
    // Where other accounts may go: the repository can be in a home that is closed to them.
    state = await mkdtemp(join(tmpdir(), 'market-package-'))
    await chmod(state, 0o755)
    folder = join(state, 'server')
    await buildServerPackage(folder, (_title, work) => work())
    if (!accountOf(0)) await promisify(execFile)('chmod', ['-R', 'a-w', folder])
    files = await listing(folder)
    market = await startPackagedMarket(folder, state)
  })

  after(async () => {
    await market?.stop()
    if (!accountOf(0)) await promisify(execFile)('chmod', ['-R', 'u+w', folder])
    await rm(state, { recursive: true, force: true })
  })

  it('runs each process as a user of its own', async (context) => {
    if (!unprivilegedAccount()) context.diagnostic('this is not root: all processes have one user')
    for (const name of SERVICES) {
      const status = await readFile(`/proc/${market.pids.get(`${name}1`)}/status`, 'utf8')
      expect(/^Uid:\s+(\d+)/m.exec(status)?.[1], name).to.equal(String(userOf(name)))
    }
  })

  for (const mode of MODES) {
    it(`trades in ${mode} mode through the proxy, from the ask to the money in the seller’s wallet`, async () => {
      const sandbox = { base_url: market.baseUrl, rpc_url: market.rpcUrl, human_token: market.humanToken }
      const [{ chain }, parties] = await Promise.all([readDemoChain(sandbox), createParties(sandbox)])
      const record = await trade({ mode, parties, chain, onStep: () => {} })
      receipts.push(record.receipt)
      expect([record.seller, record.service]).to.deep.equal(['19.000000', '1.000000'])
    })
  }

  it('reads files of users, and serves the console and the documentation', async () => {
    const shared = await shareFiles({ base_url: market.baseUrl, human_token: market.humanToken })
    expect(shared.text).to.include('a heron in each of them')
    expect(shared.preview.media_type).to.equal('image/webp')
    for (const path of ['/console', '/docs', '/docs/operate/machines', '/docs/api']) {
      const response = await fetch(market.baseUrl + path)
      expect([response.status, response.headers.get('content-type')], path).to.deep.equal([
        200,
        'text/html; charset=utf-8',
      ])
    }
  })

  it('proves the settlement of its own trades, without a compiler', async () => {
    const file = join(state, 'receipts.json')
    await writeFile(file, JSON.stringify(receipts))
    const sources = ['--rpc-url', market.rpcUrl, '--base-url', market.baseUrl, '--receipts', file]
    const report = JSON.parse(await market.run(['audit', '--json', ...sources]))
    expect([report.ok, report.findings]).to.deep.equal([true, []])
  })

  it('says of a command that it needs the repository', async () => {
    for (const command of ['up', 'deploy', 'test']) {
      const error = await market.run([command]).catch((thrown) => thrown)
      expect([error.code, error.stderr]).to.deep.equal([
        2,
        `${command} runs in a clone of the repository: this folder holds what servers run.\n`,
      ])
    }
    expect(await market.run(['console'])).to.equal(`${join(folder, 'console/built')}\n`)
    expect(await market.run(['help']))
      .to.include('  worker ')
      .and.not.include('  up ')
  })

  it('lists in its bill of materials every package that is in it', async () => {
    const bill = JSON.parse(await readFile(join(folder, 'sbom.cdx.json'), 'utf8'))
    const { packages } = JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
    const billed = new Set(
      bill.components.map(({ name, version }: { name: string; version: string }) => `${name}@${version}`),
    )
    const installed = Object.entries<{ name?: string; version: string; link?: boolean }>(packages)
      .filter(([path, { link }]) => path.startsWith('node_modules/') && !link)
      // npm bills an alias by either of its names.
      .map(([path, { name = '', version }]) =>
        [name, String(path.split('node_modules/').at(-1))].map((one) => `${one}@${version}`),
      )
    expect(installed.filter((names) => !names.some((name) => billed.has(name)))).to.deep.equal([])
    expect(installed.length).to.be.above(400)
    expect([...billed]).to.include(`node@${process.version.slice(1)}`)
    expect(JSON.stringify(bill)).not.to.match(/https?:\/\/(?!cyclonedx\.org)/)
  })

  it('is as it was: nothing has written into it', async () => {
    expect(await listing(folder)).to.deep.equal(files)
  })
})

/** Every file with its size and when its content and its entry last changed. */
async function listing(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const lines = entries.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name)
    const { size, mtimeMs, ctimeMs } = await lstat(path)
    return `${path} ${size} ${mtimeMs} ${ctimeMs}`
  })
  return (await Promise.all(lines)).sort()
}
