import { execFile } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { DOCS_PAGES } from '../../../api/platform/docs/internal/navigation.ts'
import { commands } from '../../../cli/commands.ts'
import { ROOT } from '../../../cli/machine/paths.ts'
import { Misuse } from '../../../cli/terminal/options.ts'
import { billedPackages, serverManifest } from '../../../cli/tools/internal/serverManifest.ts'
import { copyOwnFiles, isPackaged, refuseOthers, requireBillingNpm } from '../../../cli/tools/internal/serverPackage.ts'

const IMPORTS =
  /^(?!import type|export type)(?:import|export|\}).* from '([^']+)'|^import '([^']+)'|await import\('([^']+)'\)/gm
// Run from anywhere, so all their files are entries.
const WHOLE = ['api', 'audit', 'facilitator', 'indexer', 'mcp', 'protocol', 'sdk']

interface Import {
  from: string
  name: string
}

/** The modules of the commands that the folder offers. */
function packagedCommands(): string[] {
  const loads = Object.values(commands).flatMap(({ inRepository, load }) => (inRepository ? [] : [String(load)]))
  return loads.map((text) => join('cli', /import\('(.*)'\)/.exec(text)?.[1] ?? 'unknown'))
}

/** What the files of the folder import: from the processes and from the commands that it offers. */
function packagedImports(): Import[] {
  const files = new Set([
    ...globSync(
      WHOLE.map((name) => `${name}/**/*.ts`),
      { cwd: ROOT },
    ),
    'cli/main.ts',
    ...packagedCommands(),
  ])
  const imports: Import[] = []
  // A set goes on with what is added while it is walked.
  for (const from of files) {
    for (const name of from === 'cli/commands.ts' ? [] : importsOf(from)) {
      imports.push({ from, name })
      if (name.startsWith('.')) files.add(join(dirname(from), name))
    }
  }
  return imports
}

function importsOf(file: string): string[] {
  const found = [...readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORTS)]
  return found.map(([, fixed, bare, loaded]) => fixed ?? bare ?? loaded ?? '')
}

describe('the folder that servers run', () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const imports = packagedImports()

  it('has every command that it offers', () => {
    expect(packagedCommands()).to.include('cli/user/node.ts')
    expect(packagedCommands().filter((module) => !isPackaged(module))).to.deep.equal([])
  })

  it('has every file that its own import', () => {
    const own = imports.filter(({ name }) => name.startsWith('.'))
    const missing = own.filter(({ from, name }) => !isPackaged(join(dirname(from), name)))
    expect(missing).to.deep.equal([])
    expect(own.every(({ from, name }) => statSync(join(ROOT, dirname(from), name)).isFile())).to.equal(true)
    expect(own.length).to.be.above(1_000)
  })

  it('has every page of the documentation', () => {
    expect(DOCS_PAGES.map(({ file }) => file).filter((file) => !isPackaged(file))).to.deep.equal([])
  })

  it('has every package that its files import, among the dependencies', () => {
    const { dependencies } = serverManifest(manifest)
    const packages = imports
      .filter(({ name }) => !/^(\.|node:|#|ponder:)/.test(name))
      .map(({ from, name }) => ({ from, name: /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name }))
    // The console is built before: `console` prints where.
    const missing = packages.filter(({ name, from }) => !(name in dependencies) && from !== 'cli/stack/console.ts')
    expect(missing).to.deep.equal([])
  })

  it('takes the place of an earlier one, and of nothing else', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'market-place-'))
    try {
      await refuseOthers(folder, 'build.json')
      await refuseOthers(join(folder, 'absent'), 'build.json')
      await writeFile(join(folder, 'package.json'), '{}')
      const refused = await refuseOthers(folder, 'build.json').catch((error: Error) => error)
      expect(refused).to.be.instanceOf(Misuse)
      await writeFile(join(folder, 'build.json'), '{}')
      await refuseOthers(folder, 'build.json')
      const file = await refuseOthers(join(folder, 'build.json'), 'build.json').catch((error: Error) => error)
      expect(file).to.have.property('code', 'ENOTDIR')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('is not begun with an npm that cannot end it', () => {
    for (const version of ['10.2.0\n', '10.10.1', '11.0.0']) requireBillingNpm(version)
    for (const version of ['9.2.0\n', '9.10.0', '10.1.0'])
      expect(() => requireBillingNpm(version), version).to.throw('npm install --global npm@10')
  })

  it('has each tracked file of its folders, and none of the secrets that an operator keeps in the clone', async () => {
    const clone = await mkdtemp(join(tmpdir(), 'clone-'))
    const tracked = ['api/app.ts', 'deploy/compose/market.env', 'deploy/nginx.conf', 'docs/trade.svg', 'LICENSE']
    const secrets = [
      ...['deploy/compose/secrets/hot_wallet_key', 'deploy/compose/secrets/logins.sql', 'deploy/compose/tls/tls.key'],
      ...['deploy/.env', 'deploy/tls/a.json', 'api/id_ed25519', 'docs/backup.dump', 'cli/key.pem', 'wallet.json'],
    ]
    try {
      for (const path of [...tracked, ...secrets]) {
        await mkdir(dirname(join(clone, 'from', path)), { recursive: true })
        await writeFile(join(clone, 'from', path), 'x')
      }
      await copyOwnFiles(join(clone, 'from'), join(clone, 'to'))
      const copied = globSync('**', { cwd: join(clone, 'to'), withFileTypes: true }).filter((each) => each.isFile())
      const paths = copied.map((each) => relative(join(clone, 'to'), join(each.parentPath, each.name)))
      expect(paths.sort()).to.deep.equal(tracked.toSorted())
    } finally {
      await rm(clone, { recursive: true })
    }
    const { stdout } = await promisify(execFile)('git', ['ls-files', 'api', 'cli', 'deploy', 'docs', 'sdk'], {
      cwd: ROOT,
    })
    const own = stdout.trim().split('\n')
    expect(own.filter((path) => !isPackaged(path) && !path.startsWith('cli/tools/'))).to.deep.equal([])
  })

  it('leaves out what only development needs', () => {
    const { devDependencies, optionalDependencies, overrides } = serverManifest({
      ...{ name: 'market', version: '1.0.0', dependencies: { zod: '4.0.0' }, devDependencies: { typescript: '6.0.0' } },
      ...{
        optionalDependencies: { postgres: '1.0.0' },
        overrides: { zod: '$zod', other: { typescript: '$typescript' } },
      },
    })
    expect([devDependencies, optionalDependencies]).to.deep.equal([undefined, undefined])
    expect(overrides).to.deep.equal({ zod: '4.0.0', other: { typescript: '6.0.0' } })
    expect(
      ['test/until.ts', 'cli/tools/check.ts', 'ignition/deployments/chain-1', '.git'].filter(isPackaged),
    ).to.deep.equal([])
  })

  it('bills what is installed, without folders of ours', () => {
    const root = { dependencies: { zod: '4.0.0' } }
    const reader = { version: '8.0.0', dependencies: { pdf: '1.0.0', zip: '1.0.0' } }
    const installed = {
      'api/absent': {},
      'node_modules/pdf': { resolved: 'api/absent', link: true },
      'node_modules/reader': reader,
      'node_modules/zip': { version: '1.0.0' },
    }
    const billed = billedPackages(
      {
        name: 'market',
        version: '1.0.0',
        dependencies: {},
        overrides: { reader: { pdf: 'file:../../api/absent' }, a: '1' },
      },
      { packages: { '': root, ...installed, 'node_modules/for-another-machine': {} } },
      { packages: installed },
    )
    expect(billed.manifest.overrides).to.deep.equal({ a: '1' })
    expect(billed.lockfile.packages).to.deep.equal({
      '': root,
      'node_modules/reader': { version: '8.0.0', dependencies: { zip: '1.0.0' } },
      'node_modules/zip': { version: '1.0.0', dependencies: {} },
    })
  })
})
