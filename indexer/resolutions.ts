import { registerHooks } from 'node:module'

type Resolution = { url: string; format?: string | null | undefined }

/**
 * Caches what Node resolves inside packages. Node reads a package's `exports` again at each import, and for
 * the thousand files of Ponder's packages that is about a tenth of the indexer's CPU time at start.
 */
export function rememberResolutions(): void {
  const packages = new Map<string, Resolution>()
  const formats = new Map<string, Resolution['format']>()
  registerHooks({
    resolve(specifier, { parentURL, conditions }, next) {
      const root = parentURL && packageOf(parentURL)
      if (!root || specifier.startsWith('#')) return next(specifier)
      const isRelative = specifier.startsWith('.')
      if (isRelative && (conditions.includes('require') || !specifier.endsWith('.js'))) return next(specifier)
      if (isRelative) {
        const { href: url } = new URL(specifier, parentURL)
        const folder = url.slice(0, url.lastIndexOf('/'))
        if (!formats.has(folder)) formats.set(folder, next(specifier).format)
        return { url, format: formats.get(folder), shortCircuit: true }
      }
      const key = [root, ...conditions, specifier].join(' ')
      const known = packages.get(key) ?? next(specifier)
      packages.set(key, known)
      return { ...known, shortCircuit: true }
    },
  })
}

/** Returns the folder of the package that contains a file, as a URL. */
function packageOf(url: string): string | undefined {
  return url.match(/^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//)?.[0]
}
