import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { readMigration } from '../../api/platform/db/migrations.ts'
import { schema } from '../../api/schema.ts'
import { ROOT } from '../machine/paths.ts'
import { Misuse, readOptions } from '../terminal/options.ts'
import { showStep } from '../terminal/progress.ts'
import { RELEASES, type Release, readReleases, releasedDatabase } from './internal/releases.ts'

const RECORDER = 'test/kit/releases/record.ts'
const MAX_BYTES = 1_000_000
const USAGE = `Usage: ./market release <version> [--withdraw]

Records a release in releases.json: the commit that is checked out, its newest migration, and a database of it with trades in every
state, test/releases/<version>.sql.gz. From then on its migrations never change. Commit both files after it, and tag the commit
that they name. package.json and CHANGELOG.md must have the version, and everything must be committed.

  --withdraw   forget the last release, which nobody was given`

/** Records a release, or forgets one. Returns 0. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, { withdraw: { type: 'boolean', default: false } })
  const [version] = positionals
  if (values.help) console.log(USAGE)
  else if (version === undefined) throw new Misuse('Name the version. ./market release --help tells more.')
  else if (values.withdraw) withdraw(version)
  else await record(version)
  return 0
}

function withdraw(version: string): void {
  const releases = readReleases()
  if (releases.at(-1)?.version !== version) throw new Misuse(`${version} is not the last release.`)
  write(releases.slice(0, -1))
  rmSync(releasedDatabase(version))
  console.log(`${version} is forgotten. Run ./market generate, commit, and release it again.`)
}

async function record(version: string): Promise<void> {
  const releases = readReleases()
  if (releases.some((release) => release.version === version)) throw new Misuse(`${version} is released.`)
  if (version !== schema.version) throw new Misuse(`package.json has the version ${schema.version}.`)
  if (!readFileSync(`${ROOT}CHANGELOG.md`, 'utf8').includes(`\n## [${version}]`))
    throw new Misuse(`CHANGELOG.md has no heading for ${version}.`)
  if (git('status', '--porcelain') !== '')
    throw new Misuse('Commit everything first: the release is what is committed.')
  const path = releasedDatabase(version)
  mkdirSync(dirname(path), { recursive: true })
  await showStep('Recording a database with trades in every state', async () => {
    execFileSync(process.execPath, [`${ROOT}${RECORDER}`, path], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
  })
  if (!existsSync(path) || statSync(path).size > MAX_BYTES) throw new Error(`${path} is missing, or larger than 1 MB`)
  const commit = git('rev-parse', 'HEAD')
  const database_sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')
  const newest = schema.migrations.at(-1)?.name ?? ''
  write([...releases, { version, commit, schema: newest, schema_sha256: await schemaHash(newest), database_sha256 }])
  console.log(`Commit releases.json and test/releases/${version}.sql.gz, and tag ${commit} as v${version}.`)
}

/** Returns the hash of the migrations up to one. */
export async function schemaHash(newest: string): Promise<string> {
  const hash = createHash('sha256')
  for (const migration of schema.migrations)
    if (migration.name <= newest) hash.update((await readMigration(schema, migration)).sha256)
  return hash.digest('hex')
}

function write(releases: readonly Release[]): void {
  writeFileSync(RELEASES, `${JSON.stringify(releases, null, 2)}\n`)
}

function git(...args: string[]): string {
  return execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8' }).trim()
}
