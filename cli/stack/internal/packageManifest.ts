/** Its name on npm. Nobody has registered the scope: until then, programs install what the market serves. */
export const NAME = '@agent-market/sdk'

/**
 * The entries that a program can import, each with its files of sdk/. The module of an entry with several
 * files is written when the package is built.
 */
export const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  '.': ['market', 'problem', 'events', 'proposals', 'generated/operations', 'generated/schema', 'generated/eventTypes'],
  './pay': [
    ...['offer', 'offerRefused', 'authorization', 'appeal', 'settlement', 'payees'],
    ...['wallet', 'escrow', 'sendCall'],
  ],
  './receipts': ['receipts', 'verdicts', 'auditLog', 'reputation', 'liabilities'],
  './webhooks': ['webhooks'],
  './sealed': ['sealed'],
  './files': ['files'],
  './deliver': ['deliver'],
}

// Only a `package.json` names this one.
const BROWSER_HASH = 'protocol/encoding/sha256.browser.ts'

/** The sources that everything else in the package is reached from. */
export const ROOT_FILES = [
  ...Object.values(ENTRIES)
    .flat()
    .map((file) => `sdk/${file}.ts`),
  BROWSER_HASH,
]

// A program that signs nothing does not need the first, which is half a megabyte; one that uploads nothing,
// not the second.
const OPTIONAL = ['viem', 'tus-js-client']

/** The members of the repository's package.json that the package's own is made from. */
interface RootManifest {
  version: string
  license: string
  imports: Record<string, Record<string, string>>
  dependencies: Record<string, string>
}

/** The package's package.json. */
export interface Manifest {
  name: string
  version: string
  [member: string]: unknown
}

/**
 * Returns the package's package.json. Its dependencies are those of the names that it imports, in the
 * repository's versions; throws an Error for one that is not among them.
 */
export function manifestOf(root: RootManifest, imported: readonly string[]): Manifest {
  const entries = Object.keys(ENTRIES).map((entry) => {
    const file = `./${builtFile(entry)}`
    return [entry, { types: `${file}.d.ts`, default: `${file}.js` }]
  })
  const versions = imported.filter((name) => !OPTIONAL.includes(name)).map((name) => [name, versionOf(root, name)])
  return {
    name: NAME,
    version: root.version,
    description: 'Trade on Market from Node and browsers: call it, pay, follow events, check what it signed.',
    keywords: ['agents', 'marketplace', 'escrow', 'usdc', 'x402', 'mcp'],
    license: root.license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    exports: { ...Object.fromEntries(entries), './package.json': './package.json' },
    imports: builtImports(root.imports),
    dependencies: Object.fromEntries(versions),
    peerDependencies: Object.fromEntries(OPTIONAL.map((name) => [name, `^${versionOf(root, name)}`])),
    peerDependenciesMeta: Object.fromEntries(OPTIONAL.map((name) => [name, { optional: true }])),
  }
}

/** The file of an entry of several files, without its extension: it is the entry's name. */
export function entryFile(entry: string): string {
  return entry === '.' ? 'index' : entry.slice('./'.length)
}

function builtFile(entry: string): string {
  const [first = '', ...others] = ENTRIES[entry] ?? []
  return others.length === 0 ? `sdk/${first}` : entryFile(entry)
}

function builtImports(imports: RootManifest['imports']) {
  return JSON.parse(JSON.stringify(imports).replaceAll('.ts"', '.js"'))
}

function versionOf({ dependencies }: RootManifest, name: string): string {
  const version = dependencies[name]
  if (version === undefined) throw new Error(`the SDK imports ${name}, which is not among the dependencies`)
  return version
}
