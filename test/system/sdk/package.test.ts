import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import ts from 'typescript'
import { build, type Rolldown } from 'vite'
import { ROOT } from '../../../cli/machine/paths.ts'
import { ENTRIES, type Manifest, NAME } from '../../../cli/stack/internal/packageManifest.ts'
import { buildPackage } from '../../../cli/stack/sdkPackage.ts'
import type * as Client from '../../../sdk/market.ts'
import type * as Problem from '../../../sdk/problem.ts'
import { type Api, startApi } from '../../kit/api/platform/http/api.ts'
import { newTrader } from '../../kit/api/trading.ts'
import { blocksOf } from '../../kit/docs/blocks.ts'

const LARGEST_BYTES = 33_000
// What a program that signs nothing imports: viem is not there.
const UNSIGNED = ['.', './receipts', './webhooks']
// What uploads brings a client of tus, which nobody else loads.
const LIGHT = Object.keys(ENTRIES).filter((entry) => entry !== './files')

const PROGRAM = `
import { ApiProblem, type components, createMarket, type EventPayloads, isProblem, type ProblemType } from '@agent-market/sdk'
import { checkVerdict } from '@agent-market/sdk/receipts'
import { verifyWebhook } from '@agent-market/sdk/webhooks'

const market = createMarket({ baseUrl: 'http://localhost' })
const answer = await market.call('createAsk', { body: { title: 'Verse', description: 'Short.', price: '20.000000' } })
export const price: string = answer.body.price
export const ask: components['schemas']['Ask'] = answer.body
export const state: EventPayloads['order.placed']['state'] = 'placed'
export const type: ProblemType = 'market:error:request/invalid'
// @ts-expect-error: a price is a string
await market.call('createAsk', { body: { title: 'Verse', description: 'Short.', price: 20 } })
for await (const event of market.events()) {
  if (event.event_type === 'rating.posted') { const rating: number = event.payload.rating; console.log(rating) }
  // @ts-expect-error: there is no such event
  if (event.event_type === 'rating.dreamt') break
}
console.log(ApiProblem, checkVerdict, verifyWebhook, isProblem(undefined, 'market:error:request/invalid'))
`
describe('the SDK as an npm package', () => {
  let api: Api
  let folder: string
  let manifest: Manifest
  before(async () => {
    api = await startApi()
    folder = await mkdtemp(join(tmpdir(), 'sdk-package-'))
    manifest = await buildPackage(join(folder, 'built'))
    await install()
  })
  after(async () => {
    await api.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Packs it, and installs it as npm does, but from here: its dependencies are those of the repository. */
  async function install(): Promise<void> {
    const run = promisify(execFile)
    await run('npm', ['pack', '--offline', join(folder, 'built')], { cwd: folder })
    const installed = join(folder, 'node_modules', NAME)
    await mkdir(installed, { recursive: true })
    await run('tar', ['-xzf', `agent-market-sdk-${manifest.version}.tgz`, '-C', installed, '--strip-components=1'], {
      cwd: folder,
    })
    for (const name of Object.keys(manifest.dependencies as object)) await link(name)
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  }

  async function link(name: string): Promise<void> {
    const target = join(folder, 'node_modules', name)
    await mkdir(dirname(target), { recursive: true })
    await symlink(join(ROOT, 'node_modules', name), target)
  }

  async function load(entry: string) {
    const file = join(folder, `${entry.replaceAll(/\W/g, '_')}.js`)
    await writeFile(file, `export * from '${join(NAME, entry)}'`)
    return import(pathToFileURL(file).href)
  }

  async function faultsOf(programs: readonly string[], options: ts.CompilerOptions): Promise<string[]> {
    const files = programs.map((_program, i) => join(folder, `program${i}.ts`))
    for (const [i, file] of files.entries()) await writeFile(file, programs[i] ?? '')
    const { ESNext } = ts.ScriptTarget
    const common = { target: ESNext, strict: true, noEmit: true, types: [] }
    const checked = ts.createProgram(files, { ...common, lib: ['lib.esnext.d.ts', 'lib.dom.d.ts'], ...options })
    return ts.getPreEmitDiagnostics(checked).map(({ file: place, messageText }) => {
      return `${place?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
    })
  }

  /** The JavaScript that a browser loads for these entries, apart from viem. */
  async function bundle(entries: readonly string[]): Promise<string> {
    const file = join(folder, 'bundled.js')
    await writeFile(file, entries.map((entry, i) => `export * as e${i} from '${join(NAME, entry)}'`).join('\n'))
    const built = await build({
      configFile: false,
      root: folder,
      logLevel: 'error',
      publicDir: false,
      build: {
        write: false,
        modulePreload: false,
        target: 'es2023',
        rolldownOptions: { input: file, preserveEntrySignatures: 'strict', external: [/^viem/] },
      },
    })
    const { output } = built as Rolldown.RolldownOutput
    return output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('')
  }

  it('calls the service from Node, without viem', async () => {
    const { createMarket, ApiProblem } = (await load('.')) as typeof Client & typeof Problem
    const { token } = await newTrader({ api }, { wallet: 'unbound' })
    const market = createMarket({ baseUrl: api.baseUrl, token })
    const { status } = await market.call('createAsk', {
      body: { title: 'Verse', description: 'Forty-two lines.', price: '20.000000' },
    })
    expect(status).to.equal(201)
    const asks = await Array.fromAsync(market.pages('listAsks', {}))
    expect(asks.map(({ title }) => title)).to.deep.equal(['Verse'])
    const stranger = createMarket({ baseUrl: api.baseUrl, token: 'of_nobody' })
    const refused = await stranger.call('getMe', {}).catch((error) => error)
    expect(refused).to.be.instanceOf(ApiProblem)
    for (const entry of UNSIGNED) expect(Object.keys(await load(entry)), entry).to.not.have.length(0)
  })

  it('names files that are there, each entry its types first, and leaves what is heavy to its user', async () => {
    const { './package.json': _own, ...entries } = manifest.exports as Record<string, object>
    expect(Object.keys(entries)).to.deep.equal(Object.keys(ENTRIES))
    const installed = join(folder, 'node_modules', NAME)
    for (const [entry, targets] of Object.entries(entries)) {
      expect(Object.keys(targets), entry).to.deep.equal(['types', 'default'])
      for (const target of Object.values(targets)) await readFile(join(installed, target))
    }
    expect(manifest.peerDependenciesMeta).to.have.all.keys('viem', 'tus-js-client')
    expect(manifest.dependencies).to.not.have.any.keys('viem', 'tus-js-client')
  })

  it('has types of its own, without viem and without those of Node', async () => {
    const { NodeNext } = ts.ModuleKind
    expect(await faultsOf([PROGRAM], { module: NodeNext })).to.deep.equal([])
  })

  it('is under 33 KB in a browser, all of it, and runs nothing of Node there', async () => {
    const code = await bundle(LIGHT)
    expect(code).to.not.include('tus-resumable', 'the client of tus')
    expect(code).to.not.match(/['"`]node:|\bBuffer\.|__require/)
    expect(gzipSync(code, { level: 9 }).length).to.be.below(LARGEST_BYTES)
    const webhooks = await bundle(['./webhooks'])
    expect(gzipSync(webhooks, { level: 9 }).length).to.be.below(LARGEST_BYTES / 10)
  })

  it('does what its README shows, where viem and tus-js-client are installed and a bundler resolves', async () => {
    for (const name of ['viem', 'tus-js-client']) await link(name)
    expect(Object.keys(await load('./files'))).to.include.members(['uploadFile', 'UploadMismatch'])
    expect(Object.keys(await load('./pay'))).to.include.members([
      'signedAuthorizationFor',
      'bindWallet',
      'exitCall',
      'paymentTypedData',
      'sendEscrowCall',
      'OfferRefused',
    ])
    expect(Object.keys(await load('./sealed'))).to.include.members(['sealWords', 'openMessage'])
    const { ESNext } = ts.ModuleKind
    const bundled = { module: ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, skipLibCheck: true }
    const examples = blocksOf('sdk/README.md').filter(({ language }) => language === 'ts')
    expect(examples).to.not.have.length(0)
    expect(
      await faultsOf(
        examples.map(({ code }) => code),
        bundled,
      ),
    ).to.deep.equal([])
  })

  it('is of this version, with its changes written down', async () => {
    const changes = await readFile(join(folder, 'node_modules', NAME, 'CHANGELOG.md'), 'utf8')
    expect(changes).to.include(`## ${manifest.version}`)
  })
})
