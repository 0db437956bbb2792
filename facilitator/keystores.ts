import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { fileVariableOf, withSecretFiles } from '../protocol/environment/secretFiles.ts'
import { KeystoreError, openKeystore } from '../protocol/keys/keystore.ts'

/** The variables of one key, or of several separated by commas. */
interface KeyVariables {
  key: string
  keystore: string
  passwordFile: string
}

/** The keys that the facilitator signs with. */
const VARIABLES: readonly KeyVariables[] = [
  { key: 'SUBMITTER_KEYS', keystore: 'SUBMITTER_KEYSTORES', passwordFile: 'SUBMITTER_PASSWORD_FILE' },
  { key: 'RESOLVER_KEY', keystore: 'RESOLVER_KEYSTORE', passwordFile: 'RESOLVER_PASSWORD_FILE' },
  { key: 'HOT_WALLET_KEY', keystore: 'HOT_WALLET_KEYSTORE', passwordFile: 'HOT_WALLET_PASSWORD_FILE' },
  { key: 'RETIRED_KEYS', keystore: 'RETIRED_KEYSTORES', passwordFile: 'RETIRED_PASSWORD_FILE' },
]
const OTHERS_MAY = 0o077

/** The variables that contain secrets themselves: the process needs them only once. */
export const SECRET_VARIABLES = [...VARIABLES.map(({ key }) => key), 'SIGNER_URL', 'X402_SECRET']

/** The variables with the paths of files that hold these secrets, of keystores and of their passwords. */
export const SECRET_FILE_VARIABLES = [
  ...SECRET_VARIABLES.map(fileVariableOf),
  ...VARIABLES.flatMap(({ keystore, passwordFile }) => [keystore, passwordFile]),
]

/**
 * Returns the environment with the keys of its keystores, and secrets that files hold, in the keys' own
 * variables. A keystore is given by its file's path, several by paths separated by commas; their password is
 * the first line of the password file, which only its owner may be able to read. Throws an Error that names
 * the invalid variables, one a line, without their values.
 */
export async function openKeystores(given: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const env = withSecretFiles(given, SECRET_VARIABLES)
  const opened = { ...env }
  const faults: string[] = []
  for (const variables of VARIABLES) {
    if (!env[variables.keystore]) continue
    try {
      opened[variables.key] = await keysOf(variables, env)
    } catch (error) {
      if (!(error instanceof Unusable)) throw error
      faults.push(`  ${error.message}`)
    }
  }
  if (faults.length > 0) throw new Error(`The environment is not complete:\n${faults.join('\n')}`)
  return opened
}

/** An error that the operator must fix. Its message names a variable. */
class Unusable extends Error {}

async function keysOf({ key, keystore, passwordFile }: KeyVariables, env: NodeJS.ProcessEnv): Promise<string> {
  if (env[key]) throw new Unusable(`${keystore}: is set, and ${key} as well: set one of them`)
  if (!env[passwordFile]) throw new Unusable(`${passwordFile}: is not set, and ${keystore} needs it`)
  const password = readPassword(passwordFile, env[passwordFile])
  const paths = (env[keystore] ?? '').split(',')
  const keys = await Promise.all(paths.map((path) => keyIn(keystore, path, password)))
  return keys.join(',')
}

async function keyIn(variable: string, path: string, password: string): Promise<string> {
  const text = readVariable(variable, () => readFileSync(path, 'utf8'))
  try {
    return await openKeystore(text, password)
  } catch (error) {
    if (error instanceof KeystoreError) throw new Unusable(`${variable}: ${error.message}`)
    throw error
  }
}

function readPassword(variable: string, path: string): string {
  // The permissions checked are those of the opened file, even if the path is replaced meanwhile.
  const file = readVariable(variable, () => openSync(path, 'r'))
  try {
    const { mode } = fstatSync(file)
    if (mode & OTHERS_MAY) throw new Unusable(`${variable}: others than its owner may use the file: chmod 600 it`)
    const [password = ''] = readVariable(variable, () => readFileSync(file, 'utf8')).split(/\r?\n/)
    if (password === '') throw new Unusable(`${variable}: the file has no password in its first line`)
    return password
  } finally {
    closeSync(file)
  }
}

function readVariable<Result>(variable: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    throw new Unusable(`${variable}: the file cannot be read (${code})`)
  }
}
