import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { readApiEnv, readWorkerEnv } from '../../api/env.ts'
import { ROOT } from '../../cli/machine/paths.ts'
import { readFacilitatorEnvironment } from '../../facilitator/env.ts'
import { openKeystores } from '../../facilitator/keystores.ts'
import { readIndexerEnvironment } from '../../indexer/env.ts'

/** A process or command as some configuration runs it: its settings, before secrets are read. */
export interface Configured {
  command: string
  env: Record<string, string>
}

const key = (digit: string) => `0x${digit.repeat(64)}`
/** What a file of each secret could hold. */
const SECRETS: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://login:secret@database/market',
  INDEX_DATABASE_URL: 'postgres://login:secret@database/market_index',
  REDIS_URL: 'redis://redis:6379',
  RPC_URL: 'https://node.example.com/secret',
  SECRET_KEY: 'a'.repeat(64),
  SIGNING_KEY: 'b'.repeat(64),
  SUBMITTER_KEYS: key('1'),
  RESOLVER_KEY: key('2'),
  HOT_WALLET_KEY: key('3'),
}
const HOT_WALLET = privateKeyToAccount('0x3333333333333333333333333333333333333333333333333333333333333333').address
// Of Node, and what bash takes for itself.
const OF_THE_MACHINE = ['NODE_COMPILE_CACHE']

const READERS: Readonly<Record<string, (env: NodeJS.ProcessEnv) => unknown>> = {
  api: readApiEnv,
  worker: readWorkerEnv,
  facilitator: async (env) => readFacilitatorEnvironment(await openKeystores(env)),
  indexer: readIndexerEnvironment,
  migrate: ({ DATABASE_URL_FILE, INDEX_DATABASE_URL_FILE }) => {
    if (!DATABASE_URL_FILE || !INDEX_DATABASE_URL_FILE) throw new Error('migrate lacks a database')
  },
}

/**
 * Has the program itself read its settings, with a file for each secret. Throws its error where one is
 * missing or wrong.
 */
export async function expectComplete({ command, env }: Configured): Promise<void> {
  const read = READERS[command]
  if (!read) throw new Error(`nothing is known of ${command}`)
  const folder = await mkdtemp(join(tmpdir(), 'market-settings-'))
  try {
    const given: Record<string, string> = { ...env, HOT_WALLET_ADDRESS: HOT_WALLET }
    for (const name of Object.keys(env).filter((name) => name.endsWith('_FILE'))) {
      const path = join(folder, name)
      await writeFile(path, `${SECRETS[name.slice(0, -'_FILE'.length)]}\n`)
      given[name] = path
    }
    await read(given)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Returns the settings that no program knows. */
export function unknownSettings({ env }: Configured): string[] {
  const page = (name: string) => readFileSync(`${ROOT}docs/operate/${name}.md`, 'utf8')
  const known = new Set([
    ...[...page('environment').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name),
    ...[...page('rules').matchAll(/^([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name),
    ...OF_THE_MACHINE,
  ])
  return Object.keys(env).filter((name) => !known.has(name) && !known.has(name.replace(/_FILE$/, '')))
}

/** Returns the settings of a file with a `NAME=value` in each line. */
export function readSettings(path: string): Record<string, string> {
  const lines = readFileSync(join(ROOT, 'deploy', path), 'utf8').split('\n')
  return Object.fromEntries(lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split(/=(.*)/s).slice(0, 2)))
}
