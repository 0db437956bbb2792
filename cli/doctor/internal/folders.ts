import { randomUUID } from 'node:crypto'
import { access, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Check, type Fault, reasonOf } from './check.ts'
import type { Place } from './place.ts'

const MIN_FREE_BYTES = 2n ** 30n

/**
 * Checks that files can be written into the folders of a process, that there is room for them, and that its
 * console is there.
 */
export function folderChecks({ folders }: Place): Check[] {
  return folders.map(({ variable, path, use }) => ({
    name: variable,
    cure: `see that ${path} is on a file system that answers`,
    find: () => (use === 'files' ? filesFaults(path) : consoleFaults(path)),
  }))
}

async function filesFaults(folder: string): Promise<Fault[]> {
  const probe = join(folder, `.doctor-${randomUUID()}`)
  try {
    await writeFile(probe, 'x', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const cure = code === 'ENOSPC' ? 'free some space there' : `make it a folder of the account that runs this process`
    return [{ fault: `${folder} cannot be written to (${code ?? reasonOf(error)})`, cure }]
  } finally {
    await rm(probe, { force: true }).catch(() => {})
  }
  const { bavail, bsize } = await statfs(folder, { bigint: true })
  if (bavail * bsize >= MIN_FREE_BYTES) return []
  return [{ fault: `the file system of ${folder} has less than 1 GiB left`, cure: 'give it more room' }]
}

async function consoleFaults(folder: string): Promise<Fault[]> {
  const isThere = await access(join(folder, 'index.html')).then(
    () => true,
    () => false,
  )
  return isThere
    ? []
    : [
        {
          fault: `there is no console in ${folder} that this account may read`,
          cure: 'set it to the folder that ./market console prints',
        },
      ]
}
