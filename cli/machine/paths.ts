import { fileURLToPath } from 'node:url'

/** The repository's folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The folder for everything a run leaves: Node, logs, the sandbox's state. Ignored by git. */
export const STATE_DIR = `${ROOT}.market/`
