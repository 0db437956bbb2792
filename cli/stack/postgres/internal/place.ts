import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from '../../../machine/account.ts'
import { isAlive } from '../../../machine/alive.ts'
import { ROOT, STATE_DIR } from '../../../machine/paths.ts'

// Survives a restart of the machine, and every account can access it, unlike perhaps the repository's own
// folder.
const SHARED_DIR = '/var/tmp'
const HASH_LENGTH = 12
// Linux keeps this folder in memory. Every account can access it.
const MEMORY_DIR = '/dev/shm'
// Many times the space that a test run uses there.
const MEMORY_WANTED_BYTES = 2 ** 31

/**
 * Returns the folder for clusters: the repository's own, or one that another account's processes can access.
 */
export function clustersDir(account: Account | undefined): Promise<string> {
  return ownDir(account ? ourNameIn(SHARED_DIR) : join(STATE_DIR, 'postgres'))
}

/**
 * Returns a folder in memory for disposable clusters, or undefined if the machine has none with room.
 * Creating and dropping dozens of databases takes several times longer on a disk, whose file system searches
 * past recently freed space.
 */
export async function memoryDir(): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(MEMORY_DIR).catch(() => ({ bavail: 0, bsize: 0 }))
  const freeBytes = Math.min(bavail * bsize, process.availableMemory())
  // Each account has its own folder there: it could neither use nor remove another account's.
  return freeBytes < MEMORY_WANTED_BYTES ? undefined : ownDir(`${ourNameIn(MEMORY_DIR)}-${process.getuid?.()}`)
}

function ourNameIn(dir: string): string {
  const hash = createHash('sha256').update(ROOT).digest('hex').slice(0, HASH_LENGTH)
  return join(dir, `market-${hash}`)
}

/**
 * Makes a folder of ours, or mends one, that every account can pass through, whatever the umask. Throws an
 * Error if it belongs to another account.
 */
export async function ownDir(dir: string): Promise<string> {
  await mkdir(dir, { recursive: true, mode: 0o711 })
  const found = await lstat(dir)
  // Anyone can write to the shared folder: do not trust what another account put there under our name.
  if (!found.isDirectory() || found.uid !== process.getuid?.())
    throw new Error(`${dir} belongs to somebody else: remove it`)
  await chmod(dir, 0o711)
  return dir
}

/**
 * Removes the clusters whose owner is gone, for example after a power loss. A server still running there ends
 * by itself: Postgres checks its lock file every minute.
 */
export async function removeAbandoned(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (!name.startsWith('cluster-')) continue
    const cluster = join(dir, name)
    const owner = Number(await readFile(join(cluster, 'owner'), 'utf8').catch(() => 'unknown'))
    if (!owner || isAlive(owner)) continue
    await rm(cluster, { recursive: true, force: true })
  }
}
