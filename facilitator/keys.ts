import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { KeystoreError, openKeystore } from '../protocol/keystore.ts'

/** The keys the facilitator signs with, as its variables name them: <name>_KEY, or <name>_KEYSTORE. */
const NAMES = ['SUBMITTER', 'RESOLVER', 'HOT_WALLET']
const OTHERS_MAY = 0o077

/** The variables that hold secrets themselves: nothing else of the process needs them once they were read. */
export const SECRET_VARIABLES = [...NAMES.map((name) => `${name}_KEY`), 'X402_SECRET']

/**
 * The environment with the key of every keystore in it in the key's own variable. A keystore is <name>_KEYSTORE, the path
 * of a file, and its password the first line of the file <name>_PASSWORD_FILE, which nobody but its owner may read.
 * Throws an Error that names the variables at fault, one a line, and repeats no value.
 */
export async function openKeystores(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const opened = { ...env }
  const faults: string[] = []
  for (const name of NAMES) {
    if (!env[`${name}_KEYSTORE`]) continue
    try {
      opened[`${name}_KEY`] = await keyOf(name, env)
    } catch (error) {
      if (!(error instanceof Unusable)) throw error
      faults.push(`  ${error.message}`)
    }
  }
  if (faults.length > 0) throw new Error(`The environment is not complete:\n${faults.join('\n')}`)
  return opened
}

/** What the operator is to put right. Its message names a variable. */
class Unusable extends Error {}

async function keyOf(name: string, env: NodeJS.ProcessEnv): Promise<string> {
  const keystore = `${name}_KEYSTORE`
  const passwordFile = `${name}_PASSWORD_FILE`
  if (env[`${name}_KEY`]) throw new Unusable(`${keystore}: is set, and ${name}_KEY as well: set one of them`)
  if (!env[passwordFile]) throw new Unusable(`${passwordFile}: is not set, and ${keystore} needs it`)
  const password = readPassword(passwordFile, env[passwordFile])
  const text = readVariable(keystore, () => readFileSync(env[keystore] ?? '', 'utf8'))
  try {
    return await openKeystore(text, password)
  } catch (error) {
    if (error instanceof KeystoreError) throw new Unusable(`${keystore}: ${error.message}`)
    throw error
  }
}

function readPassword(variable: string, path: string): string {
  // What is looked at is what is read, whatever is put in its place meanwhile.
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
