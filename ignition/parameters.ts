import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { DeploymentParameters } from '@nomicfoundation/ignition-core'

const BIGINT = /^\d+n$/

/** Reads the parameters of a network that is ours to know. Throws an Error for one that has no file. */
export function readParameters(network: string): Promise<DeploymentParameters> {
  return readParametersFile(fileURLToPath(new URL(`parameters/${network}.json`, import.meta.url)))
}

/**
 * Reads parameters from a file, by module. Integers too large for JSON are strings such as "1000n", as
 * Ignition has them. Throws an Error that names the file when it cannot be read.
 */
export async function readParametersFile(path: string): Promise<DeploymentParameters> {
  try {
    return JSON.parse(await readFile(path, 'utf8'), (_key, value) =>
      typeof value === 'string' && BIGINT.test(value) ? BigInt(value.slice(0, -1)) : value,
    )
  } catch (cause) {
    throw new Error(`${path} holds no parameters: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}
