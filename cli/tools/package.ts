import { copyFile, cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { PACKAGED_FILE, ROOT, STATE_DIR } from '../machine/paths.ts'
import { DONE, MISUSED, readOptions } from '../terminal/options.ts'
import { showStep } from '../terminal/progress.ts'
import { ENTRIES, entryFile, type Manifest, manifestOf, ROOT_FILES } from './internal/packageManifest.ts'

const IMPORTS = /(?:from|import) '([^'.#][^']*)'/g

const USAGE = `Usage: ./market package [server] [--out <folder>]

Builds the SDK as an npm package, which npm publish and npm install take. \`server\` builds the folder that servers run: with Node and
everything else that the processes need, for machines like this one. It may be read-only, and sbom.cdx.json lists what is in it.
Prints the folder: .market/package or .market/server by default. An earlier package there is replaced.`

/** Builds the SDK's npm package or the folder that servers run, and prints where it is. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, { out: { type: 'string' } })
  const [what = 'sdk', ...others] = positionals
  if (values.help || !['sdk', 'server'].includes(what) || others.length > 0) {
    console.error(USAGE)
    return values.help ? DONE : MISUSED
  }
  const folder = resolve(values.out ?? join(STATE_DIR, what === 'sdk' ? 'package' : 'server'))
  const { buildServerPackage, refuseOthers } = await import('./internal/serverPackage.ts')
  await refuseOthers(folder, what === 'sdk' ? 'index.js' : PACKAGED_FILE)
  const { name, version } = what === 'sdk' ? await buildPackage(folder) : await buildServerPackage(folder, showStep)
  console.log(`${name} ${version}: ${folder}`)
  return DONE
}

/**
 * Builds the SDK into a folder, which is emptied first: JavaScript modules with their types, for Node and
 * browsers. Returns the package's manifest. Throws an Error for sources that do not compile.
 */
export async function buildPackage(folder: string): Promise<Manifest> {
  const root = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  // tsc writes modules only where a manifest says so.
  await writeManifest(folder, manifestOf(root, []))
  compile(folder)
  for (const [entry, files] of Object.entries(ENTRIES)) {
    if (files.length === 1) continue
    const text = files.map((file) => `export * from './sdk/${file}.js'\n`).join('')
    for (const extension of ['js', 'd.ts']) await writeFile(join(folder, `${entryFile(entry)}.${extension}`), text)
  }
  for (const file of ['README.md', 'CHANGELOG.md']) await copyFile(join(ROOT, 'sdk', file), join(folder, file))
  await cp(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  const manifest = manifestOf(root, await importedPackages(folder))
  await writeManifest(folder, manifest)
  return manifest
}

async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

function compile(outDir: string): void {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
  const compilerOptions = {
    ...config.compilerOptions,
    rootDir: ROOT,
    outDir,
    noEmit: false,
    noEmitOnError: true,
    declaration: true,
    rewriteRelativeImportExtensions: true,
  }
  const files = ROOT_FILES.map((file) => join(ROOT, file))
  const { options, fileNames } = ts.parseJsonConfigFileContent({ compilerOptions, files }, ts.sys, ROOT)
  const program = ts.createProgram(fileNames, options)
  const { diagnostics } = program.emit()
  const faults = [...ts.getPreEmitDiagnostics(program), ...diagnostics]
  if (faults.length === 0) return
  throw new Error(
    ts.formatDiagnostics(faults, {
      getCurrentDirectory: () => ROOT,
      getCanonicalFileName: (name) => name,
      getNewLine: () => '\n',
    }),
  )
}

/** The packages that the built files import, or whose types their types use. */
async function importedPackages(folder: string): Promise<string[]> {
  const names = new Set<string>()
  for await (const file of glob('**/*.{js,d.ts}', { cwd: folder })) {
    const text = await readFile(join(folder, file), 'utf8')
    for (const [, name = ''] of text.matchAll(IMPORTS)) names.add(packageOf(name))
  }
  return [...names].filter((name) => !name.startsWith('node:')).sort()
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
