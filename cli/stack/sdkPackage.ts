import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, cp, glob, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { ROOT } from '../machine/paths.ts'
import { ENTRIES, entryFile, type Manifest, manifestOf, ROOT_FILES } from './internal/packageManifest.ts'

const IMPORTS = /(?:from|import) '([^'.#][^']*)'/g

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

/**
 * Puts the SDK's package beside the built console, from where the market hands it out, unless it is there:
 * the file that npm would put into its registry.
 */
export async function addSdkPackage(consoleFolder: string): Promise<void> {
  const file = join(consoleFolder, 'sdk.tgz')
  if (existsSync(file)) return
  // Two at once make equal files, and each is complete under its name.
  const partial = `${file}.${process.pid}`
  await packPackage(partial)
  await rename(partial, file)
}

/** Builds the SDK and packs it into a file, as npm does for its registry: what `npm install` takes. */
export async function packPackage(file: string): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'sdk-'))
  try {
    const folder = join(scratch, 'built')
    await buildPackage(folder)
    const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--offline', '--ignore-scripts', folder], {
      cwd: scratch,
    })
    const [packed] = JSON.parse(stdout) as [{ filename: string }]
    await copyFile(join(scratch, packed.filename), file)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
