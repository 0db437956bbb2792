import { execFile, spawnSync } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Account } from '../../cli/machine/account.ts'

const run = promisify(execFile)
/** The variable that tells this program that the mounts it makes are its own. */
const MARK = 'MARKET_FAULTS_MOUNTS'
const UNSHARE = ['--mount', '--propagation', 'private']
const CHUNKS = [1_048_576, 4_096]

/** Returns why small disks cannot be mounted here; undefined where they can. */
export function missingDisks(): string | undefined {
  return process.env[MARK] === undefined ? 'it needs root and a mount namespace (unshare)' : undefined
}

/**
 * Returns the command that runs this program where its mounts are its own; undefined where that is so, or
 * cannot be.
 */
export function ownMounts(): { command: string; args: string[]; env: NodeJS.ProcessEnv } | undefined {
  if (process.env[MARK] !== undefined || process.getuid?.() !== 0) return undefined
  if (spawnSync('unshare', [...UNSHARE, 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status !== 0) return undefined
  const args = [...UNSHARE, process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  return { command: 'unshare', args, env: { ...process.env, [MARK]: '1' } }
}

const mounted = new Set<string>()

/** Puts a disk of a size, in memory, in place of a folder, with what is in the folder. */
export async function mountDisk(folder: string, bytes: number, account?: Account): Promise<void> {
  const aside = `${folder}.aside`
  await run('cp', ['-a', folder, aside])
  const owner = account ? `,uid=${account.uid},gid=${account.gid}` : ''
  await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=0700${owner}`, 'tmpfs', folder])
  mounted.add(folder)
  await run('cp', ['-a', `${aside}/.`, folder])
  await rm(aside, { recursive: true })
}

/** Takes a disk away, with what is on it. Does nothing where there is none. */
export async function unmountDisk(folder: string): Promise<void> {
  if (mounted.delete(folder)) await run('umount', ['--lazy', folder])
}

/** Takes all disks away, so that their folders can be removed. */
export async function unmountDisks(): Promise<void> {
  for (const folder of [...mounted]) await unmountDisk(folder)
}

/** Fills a disk to its last byte. Returns how to free it. */
export async function fillDisk(folder: string): Promise<() => Promise<void>> {
  const filler = join(folder, 'filler')
  const file = await open(filler, 'w')
  try {
    for (const bytes of CHUNKS) await writeUntilFull(() => file.write(Buffer.alloc(bytes)))
  } finally {
    await file.close()
  }
  return () => rm(filler, { force: true })
}

async function writeUntilFull(write: () => Promise<unknown>): Promise<void> {
  try {
    for (;;) await write()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
