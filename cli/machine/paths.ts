import { existsSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's folder, or the one that `./market package server` made of it. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The file that only a folder of `./market package server` has: the version that it is, and the commit. */
export const PACKAGED_FILE = 'build.json'

/** The folder in it of the built console. */
export const BUILT_CONSOLE = 'console/built'

/**
 * Whether this is such a folder. Nothing may be written into it, and what only development needs is absent.
 */
export const IS_PACKAGED = existsSync(join(ROOT, PACKAGED_FILE))

/**
 * The folder for everything a run leaves: Node, logs, the sandbox's state. In the repository git ignores it.
 */
export const STATE_DIR = IS_PACKAGED ? `${join(homeFolder(), '.market')}/` : `${ROOT}.market/`

/** The home of this account. The account of a service may have none: then the folder of temporary files. */
function homeFolder(): string {
  try {
    return homedir()
  } catch {
    return tmpdir()
  }
}
