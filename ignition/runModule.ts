import {
  type DeployConfig,
  type DeploymentParameters,
  DeploymentResultType,
  deploy,
  type EIP1193Provider,
  type IgnitionModule,
} from '@nomicfoundation/ignition-core'
import { type Address, getAddress } from 'viem'
import { compiledArtifacts } from './artifacts.ts'

/** Where and how modules are deployed. */
export interface Target {
  /** Signs or has its node sign `eth_sendTransaction` for each of `accounts`. */
  provider: EIP1193Provider
  accounts: Address[]
  /** Ignition's journal, with which a deployment that was interrupted goes on. In memory when left out. */
  deploymentDir?: string
  config?: Partial<DeployConfig>
}

/**
 * Deploys a module, or what is left to do of it, and returns the addresses of its contracts by future id.
 * Throws an Error that holds Ignition's result when a step failed.
 */
export async function runModule(
  target: Target,
  module: IgnitionModule,
  parameters: DeploymentParameters,
): Promise<Map<string, Address>> {
  const result = await deploy({
    ...target,
    artifactResolver: compiledArtifacts,
    ignitionModule: module,
    deploymentParameters: { [module.id]: parameters[module.id] ?? {} },
  })
  if (result.type !== DeploymentResultType.SUCCESSFUL_DEPLOYMENT) {
    throw new Error(`deploying ${module.id} failed: ${JSON.stringify(result)}`)
  }
  return new Map(Object.values(result.contracts).map(({ id, address }) => [id, getAddress(address)]))
}
