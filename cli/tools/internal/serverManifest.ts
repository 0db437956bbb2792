type Overrides = { [name: string]: string | Overrides }

interface LockedPackage {
  dependencies?: Record<string, string>
  link?: boolean
  [member: string]: unknown
}

/** A package-lock.json, of which only the packages matter here. */
export interface Lockfile {
  packages: Record<string, LockedPackage>
  [member: string]: unknown
}

/** The members of the repository's package.json that the folder's own is made from. */
export interface RootManifest {
  name: string
  version: string
  dependencies: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  overrides: Overrides
  [member: string]: unknown
}

/**
 * Returns the package.json of the folder that servers run: without the packages of development, and without
 * the PostgreSQL of `up`. An override that names one of those by `$` gets its version.
 */
export function serverManifest(root: RootManifest): RootManifest {
  const { devDependencies, optionalDependencies: _, ...manifest } = root
  const versions = { ...devDependencies, ...root.dependencies }
  return { ...manifest, overrides: withVersions(root.overrides, versions) }
}

function withVersions(overrides: Overrides, versions: Readonly<Record<string, string>>): Overrides {
  const entries = Object.entries(overrides).map(([name, value]) => {
    if (typeof value !== 'string') return [name, withVersions(value, versions)]
    return [name, value.startsWith('$') ? versions[value.slice(1)] : value]
  })
  return Object.fromEntries(entries)
}

/**
 * Returns the manifest and the lockfile that `npm sbom` reads, of what npm says that it installed. They lack
 * the empty folder of ours that stands in for packages which nothing calls: npm takes an override by a path
 * for a fault.
 */
export function billedPackages(manifest: RootManifest, lockfile: Lockfile, installed: Lockfile) {
  const ours = Object.entries({ ...lockfile.packages, ...installed.packages }).filter(
    ([path, { link }]) => path !== '' && (link || !path.startsWith('node_modules/')),
  )
  const paths = ours.map(([path]) => path)
  const names = paths.map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
  const root = lockfile.packages['']
  const kept = Object.entries(installed.packages).filter(([path]) => !paths.includes(path))
  const packages = kept.map(([path, locked]) => [
    path,
    { ...locked, dependencies: without(locked.dependencies, names) },
  ])
  const overrides = Object.entries(manifest.overrides).filter(([, value]) => !JSON.stringify(value).includes('"file:'))
  return {
    manifest: { ...manifest, overrides: Object.fromEntries(overrides) },
    lockfile: { ...lockfile, packages: { '': root, ...Object.fromEntries(packages) } },
  }
}

function without(dependencies: Record<string, string> | undefined, names: readonly string[]) {
  return Object.fromEntries(Object.entries(dependencies ?? {}).filter(([name]) => !names.includes(name)))
}
