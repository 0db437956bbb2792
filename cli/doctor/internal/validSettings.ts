import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { type Fault, reasonOf } from './check.ts'
import { type Place, type ProcessName, readPlace } from './place.ts'

/** What a process finds by the settings that are valid, and the faults of the others. */
export interface ValidSettings {
  /** Undefined if nothing is left to be checked. */
  place?: Place
  faults: Fault[]
}

const CURE = 'set it as docs/operate/environment.md says; the checks of what it leads to wait for it'
const FAULT = /^ {2}([A-Z][A-Z0-9_]*): /
// One setting can hide what is wrong with another.
const TRIES = 5

/**
 * Reads an environment as its process does. Where settings are invalid, it puts others in their place, by
 * which the rest can be read, and leaves out of the result what they lead to.
 */
export async function readWhatIsValid(name: ProcessName, given: NodeJS.ProcessEnv): Promise<ValidSettings> {
  const env = { ...given }
  const replaced = new Set<string>()
  const faults: Fault[] = []
  for (let attempt = 0; attempt < TRIES; attempt++) {
    try {
      return { place: without(await readPlace(name, env), replaced), faults }
    } catch (error) {
      const [first = '', ...lines] = reasonOf(error).split('\n')
      const found = lines.flatMap((line) => {
        const variable = FAULT.exec(line)?.[1]
        return variable === undefined || replaced.has(secretOf(variable)) ? [] : [{ variable, line }]
      })
      faults.push(...found.map(({ line }) => ({ fault: line.trim(), cure: CURE })))
      if (faults.length === 0) faults.push({ fault: first, cure: CURE })
      if (found.length === 0) break
      for (const { variable } of found) {
        replaced.add(secretOf(variable))
        Object.assign(env, standIn(secretOf(variable)))
      }
    }
  }
  return { faults }
}

/** The variable of a secret whose file a variable names. */
function secretOf(variable: string): string {
  return variable.replace(/_FILE$/, '')
}

/** Values by which the other settings can be read: nothing of them is used. */
function standIn(name: string): NodeJS.ProcessEnv {
  const key = name.replace('_PASSWORD', '_KEY').replace('_KEYSTORE', '_KEY')
  const unset = { [name]: '', [`${name}_FILE`]: '' }
  if (name === 'HOT_WALLET_ADDRESS' || key === 'HOT_WALLET_KEY') return { ...unset, ...hotWallet() }
  if (/^(SUBMITTER|RESOLVER)_KEYS?$/.test(key))
    return { ...unset, ...keyOf(key.startsWith('S') ? 'SUBMITTER' : 'RESOLVER') }
  return { ...unset, [name]: VALID[name] ?? '' }
}

function hotWallet(): NodeJS.ProcessEnv {
  const key = generatePrivateKey()
  return { ...keyOf('HOT_WALLET', key), HOT_WALLET_ADDRESS: privateKeyToAddress(key) }
}

function keyOf(whose: 'SUBMITTER' | 'RESOLVER' | 'HOT_WALLET', key = generatePrivateKey()): NodeJS.ProcessEnv {
  const variable = whose === 'SUBMITTER' ? 'SUBMITTER_KEYS' : `${whose}_KEY`
  const keystore = whose === 'SUBMITTER' ? 'SUBMITTER_KEYSTORES' : `${whose}_KEYSTORE`
  return { [keystore]: '', [`${whose}_PASSWORD_FILE`]: '', [`${variable}_FILE`]: '', [variable]: key }
}

const ADDRESS = '0x0000000000000000000000000000000000000001'
const HEX = '0'.repeat(64)
/** For what must be set. What is not named here may be absent. */
const VALID: Readonly<Record<string, string>> = {
  ...{ DATABASE_URL: 'postgres://market.invalid/market', INDEX_DATABASE_URL: 'postgres://market.invalid/index' },
  ...{ RPC_URL: 'http://node.invalid', CHAIN_ID: '31337', START_BLOCK: '0' },
  ...{ ESCROW_ADDRESS: ADDRESS, TOKEN_ADDRESS: ADDRESS, FEE_RECIPIENT: ADDRESS },
  ...{ BASE_URL: 'https://market.invalid', BLOB_DIR: '/nonexistent', PORT: '0', SECRET_KEY: HEX, SIGNING_KEY: HEX },
}
const OF_THE_CHAIN = ['RPC_URL', 'CHAIN_ID', 'ESCROW_ADDRESS', 'TOKEN_ADDRESS', 'START_BLOCK', 'RESOLVER_KEY']

/** The parts of a place that do not follow from these variables. */
function without(place: Place, replaced: ReadonlySet<string>): Place {
  const isValid = (variable: string) => !replaced.has(variable)
  const { database, index, chain, gas, redisUrl, ...rest } = place
  const keyNames = [...replaced].filter((name) => /^(SUBMITTER|RESOLVER)_/.test(name))
  const isChainValid = OF_THE_CHAIN.every(isValid) && !keyNames.some((name) => name.startsWith('RESOLVER'))
  return {
    ...rest,
    ...(database && isValid('DATABASE_URL') && isValid('DATABASE_SESSION_URL') ? { database } : {}),
    ...(index && isValid('INDEX_DATABASE_URL') ? { index } : {}),
    ...(chain && isChainValid ? { chain } : {}),
    ...(gas && isValid('RPC_URL') && keyNames.length === 0 ? { gas } : {}),
    ...(redisUrl !== undefined && isValid('REDIS_URL') ? { redisUrl } : {}),
    folders: place.folders.filter(({ variable }) => isValid(variable)),
    ports: place.ports.filter(({ variable }) => isValid(variable)),
    addresses: place.addresses.filter(({ variable }) => isValid(variable)),
  }
}
