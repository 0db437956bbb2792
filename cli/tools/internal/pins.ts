import { readFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { ROOT } from '../../machine/paths.ts'

const HASH = /^sha512-[A-Za-z0-9+/]{86}==$/
const NODE_LINE = /^ +echo "(.*)"$/gm
const PLATFORMS_OF_NODE = 3

interface LockedPackage {
  integrity?: string
  resolved?: string
  link?: boolean
}

/**
 * Returns the packages that are installed without checking a hash: the entries of a `package-lock.json` that
 * have none, or that name an address, and the programs of Node that the `market` script installs. Folders of
 * the repository need no hash.
 */
export function findUnpinned(lockfile: string, script: string): string[] {
  const { packages } = JSON.parse(lockfile) as { packages: Record<string, LockedPackage> }
  const unpinned = Object.entries(packages).flatMap(([path, { integrity, resolved, link }]) => {
    if (isOurs(path)) return []
    if (link) return resolved !== undefined && isOurs(resolved) ? [] : [`${path}: a link to elsewhere`]
    if (resolved !== undefined) return [`${path}: an address`]
    return HASH.test(integrity ?? '') ? [] : [`${path}: no sha512`]
  })
  return [...unpinned, ...findUnpinnedNodes(script)]
}

/** Returns whether a path is a folder of the repository that git tracks. */
function isOurs(path: string): boolean {
  return !isAbsolute(path) && !path.split('/').some((part) => part === '..' || part === 'node_modules')
}

function findUnpinnedNodes(script: string): string[] {
  const pins = script.slice(script.indexOf('\npinned_node() {'), script.indexOf('\ninstall_node() {'))
  const nodes = [...pins.matchAll(NODE_LINE)].map(([, line = '']) => line.split(' '))
  const unpinned = nodes.filter(([, , hash = '']) => !HASH.test(hash)).map(([name]) => `market: ${name}: no sha512`)
  return nodes.length === PLATFORMS_OF_NODE ? unpinned : [...unpinned, `market: ${nodes.length} programs of Node`]
}

/** Prints the packages that npm would install without checking their hash, and fails if there are any. */
export async function checkPins(): Promise<void> {
  const [lockfile, script] = await Promise.all(
    ['package-lock.json', 'market'].map((file) => readFile(join(ROOT, file), 'utf8')),
  )
  const unpinned = findUnpinned(lockfile ?? '', script ?? '')
  if (unpinned.length > 0) throw new Error(unpinned.join('\n'))
}
