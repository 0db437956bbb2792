import { readFileSync } from 'node:fs'

/**
 * The variables whose values are secrets, or addresses that contain one. The facilitator has others of its
 * own.
 */
const SECRET_VARIABLES: readonly string[] = [
  'ARBITRATOR_API_KEY',
  'DATABASE_SESSION_URL',
  'DATABASE_URL',
  'DEPLOYER_KEY',
  'FORMER_SIGNING_KEY',
  'INDEX_DATABASE_URL',
  'MARKET_TOKEN',
  'NEXT_SIGNING_KEY',
  'REDIS_URL',
  'RPC_URL',
  'RPC_VERIFY_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'SANDBOX_MINTER_KEY',
  'SECRET_KEY',
  'SIGNING_KEY',
  'SMTP_URL',
]

/** The name of the variable with the path of the file that holds `name`. */
export const fileVariableOf = (name: string) => `${name}_FILE`

/** The variables with the paths of files that hold secrets, except the facilitator's. */
export const SECRET_FILE_VARIABLES: readonly string[] = SECRET_VARIABLES.map(fileVariableOf)

/** Whether an environment has a secret, by itself or by a file. */
export function hasVariable(env: NodeJS.ProcessEnv, name: string): boolean {
  return Boolean(env[name] || env[fileVariableOf(name)])
}

/**
 * Returns an environment in which the secrets that were given by files (`NAME_FILE`, as container platforms
 * mount them) are in their own variables, without the line break at the end. Throws an Error that names each
 * variable whose file cannot be read, is empty, or that is set itself as well; never a value.
 */
export function withSecretFiles(env: NodeJS.ProcessEnv, names = SECRET_VARIABLES): NodeJS.ProcessEnv {
  const read = { ...env }
  const faults: string[] = []
  for (const name of names) {
    const variable = fileVariableOf(name)
    const path = env[variable]
    if (!path) continue
    delete read[variable]
    if (env[name]) faults.push(`${variable}: is set, and ${name} as well: set one of them`)
    else {
      const secret = contentOf(path)
      if (typeof secret === 'string') read[name] = secret
      else faults.push(`${variable}: ${secret.fault}`)
    }
  }
  if (faults.length > 0)
    throw new Error(`The environment is not complete:\n${faults.map((one) => `  ${one}`).join('\n')}`)
  return read
}

function contentOf(path: string): string | { fault: string } {
  try {
    const content = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    return content === '' ? { fault: 'the file is empty' } : content
  } catch (error) {
    return { fault: `the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})` }
  }
}
