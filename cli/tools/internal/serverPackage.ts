import { execFile } from 'node:child_process'
import {
  chmod,
  copyFile,
  cp,
  glob,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { BUILT_CONSOLE, PACKAGED_FILE, ROOT, STATE_DIR } from '../../machine/paths.ts'
import { compileContracts } from '../../stack/compile.ts'
import { buildConsole } from '../../stack/console.ts'
import { addSdkPackage } from '../../stack/sdkPackage.ts'
import { API_OPTIONS } from '../../stack/services.ts'
import { Misuse } from '../../terminal/options.ts'
import type { Step } from '../../terminal/progress.ts'
import { billedPackages, type Lockfile, type RootManifest, serverManifest } from './serverManifest.ts'

/** What servers run, and what they show as documentation. */
const SOURCES = [
  ...'api audit cli deploy docs examples facilitator ignition indexer mcp protocol sdk'.split(' '),
  ...'ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md LICENSE README.md test/attacks.md'.split(' '),
  ...'.npmrc tsconfig.json console/routing/paths.ts'.split(' '),
]
// Files of other kinds are an operator's: keys, certificates, passwords, dumps.
const KINDS =
  /\.(ts|m?js|json|sql|sh|md|css|html|svg|png|ya?ml|conf|service|target)$|(^|\/)(market\.env|Dockerfile|LICENSE|\.npmrc)$/
const LEFT_OUT = [
  // What deploy/compose/ is given: each file of it is a secret.
  /^deploy\/(.+\/)?(secrets|tls)(\/|$)/,
  /^cli\/tools(\/|$)/,
  /^ignition\/deployments(\/|$)/,
  /(^|\/)\.ponder$/,
  /^indexer\/ponder-env\.d\.ts$/,
]
const ESCROW_ARTIFACT = 'artifacts/contracts/Escrow.sol/Escrow.json'
const LAUNCHER = `#!/bin/sh
# Runs a command of Market with the Node beside it. Writes nothing here: the folder may be read-only.
set -eu
root=$(dirname "$(readlink -f "$0")")
options=
if [ "\${1:-}" = api ]; then options='${API_OPTIONS.join(' ')}'; fi
exec "$root/node/bin/node" $options "$root/cli/main.ts" "$@"
`
const SBOM = 'sbom.cdx.json'
/** The first npm that writes a bill of materials. */
const OLDEST_NPM = [10, 2] as const
const MAX_OUTPUT_BYTES = 50_000_000
const EXECUTABLE = 0o111
const LAST_LINES = 20

/**
 * Refuses a folder with files of which none is `ours`, which an earlier package has: everything in it is
 * going to be removed. Throws a Misuse.
 */
export async function refuseOthers(folder: string, ours: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (names.length === 0 || (names.includes(ours) && names.includes('package.json'))) return
  throw new Misuse(`${folder} has files that are no package. Name an empty folder, or one that does not exist.`)
}

/**
 * Builds the folder that servers run: sources, the packages that they need, Node, the built console, the
 * compiled Escrow and a bill of materials. Nothing in it is written to when it runs. Replaces the folder once
 * everything is in the new one. Throws an Error that has npm's last words where npm fails.
 */
export async function buildServerPackage(folder: string, step: Step): Promise<RootManifest> {
  requireBillingNpm(await npm(ROOT, '--version'))
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { recursive: true })
  const manifest = await copySources(partial)
  await step('Installing the packages', () => installPackages(partial), 'npm unpacks some 440 of them')
  await step('Compiling the contracts', compileContracts)
  await mkdir(dirname(join(partial, ESCROW_ARTIFACT)), { recursive: true })
  await copyFile(join(ROOT, ESCROW_ARTIFACT), join(partial, ESCROW_ARTIFACT))
  const built = await step('Building the console', buildConsole)
  await step('Packing the SDK', () => addSdkPackage(built))
  await cp(built, join(partial, BUILT_CONSOLE), { recursive: true })
  await copyNode(partial)
  await step('Writing the bill of materials', () => writeBill(partial, manifest))
  await makeReadable(partial)
  await rm(folder, { recursive: true, force: true })
  await rename(partial, folder)
  return manifest
}

/** Throws an Error that says what to do if npm is too old to write the bill of materials, as Debian's is. */
export function requireBillingNpm(version: string): void {
  const [major = 0, minor = 0] = version.trim().split('.').map(Number)
  const [oldestMajor, oldestMinor] = OLDEST_NPM
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return
  throw new Error(
    `npm ${version.trim()} writes no bill of materials, which ${OLDEST_NPM.join('.')} and newer do: npm install --global npm@10`,
  )
}

/** Returns whether the folder has a file of the repository, by its path in there. */
export function isPackaged(path: string): boolean {
  return SOURCES.some((source) => path === source || path.startsWith(`${source}/`)) && isCopied(path)
}

function isCopied(path: string): boolean {
  return KINDS.test(path) && !LEFT_OUT.some((pattern) => pattern.test(path))
}

/** Copies the sources of a clone, with or without its `.git`, and nothing else that stands in it. */
export async function copyOwnFiles(root: string, folder: string): Promise<void> {
  const files = await Array.fromAsync(
    glob(
      SOURCES.flatMap((source) => [source, `${source}/**`]),
      { cwd: root, withFileTypes: true },
    ),
  )
  for (const entry of files.filter((each) => each.isFile())) {
    const path = relative(root, join(entry.parentPath, entry.name))
    if (!isCopied(path)) continue
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await copyFile(join(root, path), join(folder, path))
  }
}

async function copySources(folder: string): Promise<RootManifest> {
  await copyOwnFiles(ROOT, folder)
  // Ponder writes this file for editors at each start, and does not start where it cannot.
  await symlink('/dev/null', join(folder, 'indexer/ponder-env.d.ts'))
  await writeFile(join(folder, 'market'), LAUNCHER, { mode: 0o755 })
  const manifest = serverManifest(await readJson<RootManifest>(join(ROOT, 'package.json')))
  await writeJson(join(folder, 'package.json'), manifest)
  await copyFile(join(ROOT, 'package-lock.json'), join(folder, 'package-lock.json'))
  await writeJson(join(folder, PACKAGED_FILE), { version: manifest.version, commit: await readCommit() })
  return manifest
}

/**
 * npm removes from the lockfile what the manifest lacks, without asking a registry, and installs exactly the
 * rest.
 */
async function installPackages(folder: string): Promise<void> {
  await npm(folder, 'install', '--package-lock-only', '--ignore-scripts', '--offline')
  await npm(folder, 'ci', '--ignore-scripts')
}

async function writeBill(folder: string, manifest: RootManifest): Promise<void> {
  const lockfile = await readJson<Lockfile>(join(folder, 'package-lock.json'))
  const installed = await readJson<Lockfile>(join(folder, 'node_modules/.package-lock.json'))
  const billed = billedPackages(manifest, lockfile, installed)
  // npm gives the bill the name of the folder.
  const scratch = `${folder}.bill/${manifest.name}`
  await mkdir(scratch, { recursive: true })
  try {
    await writeJson(join(scratch, 'package.json'), billed.manifest)
    await writeJson(join(scratch, 'package-lock.json'), billed.lockfile)
    const text = await npm(
      scratch,
      'sbom',
      '--sbom-format',
      'cyclonedx',
      '--package-lock-only',
      '--sbom-type',
      'application',
    )
    const bill = JSON.parse(text) as { components: unknown[] }
    const version = process.version.slice(1)
    const node = {
      type: 'application',
      name: 'node',
      version,
      'bom-ref': `node@${version}`,
      purl: `pkg:generic/node@${version}`,
    }
    await writeJson(join(folder, SBOM), { ...bill, components: [node, ...bill.components] })
  } finally {
    await rm(dirname(scratch), { recursive: true, force: true })
  }
}

async function copyNode(folder: string): Promise<void> {
  const own = (await Array.fromAsync(glob('node-*/bin/node', { cwd: STATE_DIR }))).sort().at(-1)
  if (own === undefined) throw new Error('There is no Node in .market: run ./market package server, which installs it.')
  const source = join(STATE_DIR, own, '../..')
  await mkdir(join(folder, 'node/bin'), { recursive: true })
  await copyFile(join(source, 'bin/node'), join(folder, 'node/bin/node'))
  await copyFile(join(source, 'LICENSE'), join(folder, 'node/LICENSE'))
}

/** Lets every account read it, whatever the umask of this one. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(path, 0o755)
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & EXECUTABLE ? 0o755 : 0o644)
  }
}

/**
 * Runs npm and returns its output. Throws an Error that has its last words, without the addresses that it
 * used.
 */
async function npm(folder: string, ...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)('npm', args, { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES })).stdout
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string }
    const words = stderr
      .split('\n')
      .slice(-LAST_LINES)
      .join('\n')
      .replaceAll(/[a-z+]+:\/\/\S+/g, '<address>')
    throw new Error(`npm ${args[0]} failed:\n${words}`, { cause: error })
  }
}

/** The commit that is checked out, where there is a repository. */
async function readCommit(): Promise<string | undefined> {
  const found = await promisify(execFile)('git', ['rev-parse', 'HEAD'], { cwd: ROOT }).catch(() => undefined)
  return found?.stdout.trim()
}

async function readJson<Content>(path: string): Promise<Content> {
  return JSON.parse(await readFile(path, 'utf8'))
}

async function writeJson(path: string, content: unknown): Promise<void> {
  await writeFile(path, `${JSON.stringify(content, null, 2)}\n`)
}
