import { execFileSync } from 'node:child_process'

/** A system account to run a process as. */
export interface Account {
  uid: number
  gid: number
}

/**
 * Returns the account that Postgres runs as when we are root, since it refuses to run as root. Undefined if
 * we are not root.
 */
export function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const account = lookUp('postgres') ?? lookUp('nobody')
  if (!account) throw new Error('Postgres cannot run as root, and this machine has neither a user postgres nor nobody')
  return account
}

function lookUp(user: string): Account | undefined {
  try {
    const id = (option: string) => Number(execFileSync('id', [option, user], { encoding: 'utf8', stdio: 'pipe' }))
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    return undefined
  }
}
