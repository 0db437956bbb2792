import { readFile } from 'node:fs/promises'
import type { DeploymentParameters } from '@nomicfoundation/ignition-core'

const BIGINT = /^\d+n$/

/**
 * Reads the parameters of a network. Integers too large for JSON are strings such as "1000n", as Ignition has them.
 * Throws an Error for a network that has no such file.
 */
export async function readParameters(network: string): Promise<DeploymentParameters> {
  const path = `parameters/${network}.json`
  const text = await readFile(new URL(path, import.meta.url), 'utf8').catch((cause) => {
    throw new Error(`ignition/${path} cannot be read`, { cause })
  })
  return JSON.parse(text, (_key, value) =>
    typeof value === 'string' && BIGINT.test(value) ? BigInt(value.slice(0, -1)) : value,
  )
}
