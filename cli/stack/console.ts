import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, glob, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { exclusively } from '../machine/lock.ts'
import { BUILT_CONSOLE, IS_PACKAGED, ROOT, STATE_DIR } from '../machine/paths.ts'

const SOURCES = ['console/**/*', 'sdk/**/*', 'protocol/**/*.ts', 'cli/stack/**/*ackage*.ts', 'package-lock.json']
const HASH_CHARACTERS = 16
const COMPRESSED = /\.(js|css|html|svg)$/

/**
 * Builds the console and prints its folder: the value of CONSOLE_DIR for the API. In a packaged folder it is
 * built.
 */
export async function run(): Promise<undefined> {
  console.log(IS_PACKAGED ? join(ROOT, BUILT_CONSOLE) : await buildConsole())
}

/**
 * Builds the console unless the same sources are built already. Returns the folder of its files. Each file
 * that compresses well has a `.gz` beside it.
 */
export async function buildConsole(): Promise<string> {
  const folder = join(STATE_DIR, 'console', await hashSources())
  await exclusively('console', async () => {
    if (!existsSync(folder)) await buildInto(folder)
  })
  return folder
}

// A folder that exists is complete: it is renamed to this once everything is in it.
async function buildInto(folder: string): Promise<void> {
  const partial = await mkdtemp(`${STATE_DIR}console-`)
  try {
    // Only its owner may read a new temporary folder, and the API has an account of its own.
    await chmod(partial, 0o755)
    await buildFrom(join(ROOT, 'console'), partial)
    await compress(partial)
    await rm(join(STATE_DIR, 'console'), { recursive: true, force: true })
    await mkdir(join(STATE_DIR, 'console'), { recursive: true })
    await rename(partial, folder)
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

/** Builds the console in one folder into another. */
export async function buildFrom(root: string, folder: string): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: false,
    logLevel: 'error',
    root,
    base: '/console/',
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2023',
      // Our content security policy forbids `data:` in scripts, styles and fonts.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  })
}

async function compress(folder: string): Promise<void> {
  for await (const path of glob('**/*', { cwd: folder })) {
    if (!COMPRESSED.test(path)) continue
    const file = join(folder, path)
    await writeFile(`${file}.gz`, await promisify(gzip)(await readFile(file), { level: 9 }))
  }
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const pattern of SOURCES) {
    const entries = await Array.fromAsync(glob(pattern, { cwd: ROOT, withFileTypes: true }))
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    for (const file of files.sort())
      hash
        .update(file.slice(ROOT.length))
        .update('\0')
        .update(await readFile(file))
  }
  return hash.digest('hex').slice(0, HASH_CHARACTERS)
}
