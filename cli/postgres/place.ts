import { createHash } from 'node:crypto'
import { lstat, mkdir, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { isAlive } from '../alive.ts'
import { ROOT, STATE_DIR } from '../paths.ts'
import type { Account } from './account.ts'

// Kept over a restart of the machine, and reachable by every account, unlike the repository's own folder perhaps.
const SHARED_DIR = '/var/tmp'
const HASH_LENGTH = 12
// Linux keeps what is here in memory. Every account reaches it.
const MEMORY_DIR = '/dev/shm'
// Many times what a run of the tests has there at once.
const MEMORY_WANTED_BYTES = 2 ** 31

/** The folder for clusters: the repository's own, or, for another account's processes, one that they can reach. */
export function clustersDir(account: Account | undefined): Promise<string> {
  return ownDir(account ? ourNameIn(SHARED_DIR) : join(STATE_DIR, 'postgres'))
}

/**
 * A folder in memory, for clusters that nobody misses, where the machine has one with room. Databases that come and go by
 * the dozen take several times longer on a disk: its file system looks for room past all that it removed in the last seconds.
 */
export async function memoryDir(): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(MEMORY_DIR).catch(() => ({ bavail: 0, bsize: 0 }))
  const freeBytes = Math.min(bavail * bsize, process.availableMemory())
  // Each account has its own there: what another one left it could neither use nor remove.
  return freeBytes < MEMORY_WANTED_BYTES ? undefined : ownDir(`${ourNameIn(MEMORY_DIR)}-${process.getuid?.()}`)
}

function ourNameIn(dir: string): string {
  const hash = createHash('sha256').update(ROOT).digest('hex').slice(0, HASH_LENGTH)
  return join(dir, `market-${hash}`)
}

async function ownDir(dir: string): Promise<string> {
  await mkdir(dir, { recursive: true, mode: 0o711 })
  const found = await lstat(dir)
  // Anybody can write to the shared folder: do not trust what somebody else put there under our name.
  if (!found.isDirectory() || found.uid !== process.getuid?.())
    throw new Error(`${dir} belongs to somebody else: remove it`)
  return dir
}

/**
 * Removes the clusters whose owner is gone (the machine was switched off, say). Should a server still run there, it
 * ends by itself: Postgres looks for its lock file every minute.
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
