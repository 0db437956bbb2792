import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findBubblewrap } from '../../../../../api/platform/isolation/isolate.ts'
import { ROOT } from '../../../../../cli/machine/paths.ts'

const run = promisify(execFile)

/**
 * Returns a bubblewrap that works here: the system's, or one of the package's that is unpacked for the tests
 * alone. Undefined where the machine allows neither.
 */
export async function obtainBubblewrap(): Promise<string | undefined> {
  const installed = await findBubblewrap('/usr/bin/bwrap')
  if (installed) return installed
  const directory = join(ROOT, '.market', 'bubblewrap')
  const unpacked = join(directory, 'usr/bin/bwrap')
  const kept = await findBubblewrap(unpacked)
  if (kept) return kept
  try {
    await mkdir(directory, { recursive: true })
    await run('apt-get', ['download', 'bubblewrap'], { cwd: directory, timeout: 60_000 })
    await run('sh', ['-c', 'dpkg-deb -x bubblewrap_*.deb .'], { cwd: directory })
  } catch {
    return undefined
  }
  return findBubblewrap(unpacked)
}
