import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DeploymentParameters, listTransactions } from '@nomicfoundation/ignition-core'
import hre from 'hardhat'
import { type Address, createPublicClient, custom, isAddressEqual } from 'viem'
import { compiledArtifacts } from './artifacts.ts'
import { type Deployment, deployContracts } from './deployContracts.ts'
import type { Target } from './runModule.ts'

const DEPLOYMENTS = fileURLToPath(new URL('deployments/', import.meta.url))

/** Who runs an escrow. */
export interface EscrowRoles {
  admin: Address
  resolver: Address
  pauser: Address
}

const ROLES: readonly (keyof EscrowRoles)[] = ['admin', 'resolver', 'pauser']

/** A deployment on a network, and where its events begin. */
export interface NetworkDeployment extends Deployment {
  /** The block of the Escrow's deployment. */
  startBlock: bigint
  /** Publishes the Escrow's source where anyone can look it up. Needs RPC_URL, and no key. */
  verifyCommand: string
}

/**
 * Deploys to the chain of RPC_URL, paid by DEPLOYER_KEY, with the parameters given. Throws an Error before it
 * pays for anything if a role is named neither there nor in the parameters. What was done is written down in
 * `journal`: run again after an interruption, it does what is left, and after that nothing.
 */
export async function deployNetwork(
  parameters: DeploymentParameters,
  roles: Partial<EscrowRoles>,
  journal?: string,
): Promise<NetworkDeployment> {
  const given = { ...parameters.Escrow, ...roles }
  const unnamed = ROLES.filter((role) => given[role] === undefined)
  if (unnamed.length > 0) {
    throw new Error(`Nothing was deployed: name an address for ${unnamed.map((role) => `--${role}`).join(', ')}.`)
  }
  const { provider } = await hre.network.create('target')
  const client = createPublicClient({ transport: custom(provider), ccipRead: false })
  const accounts: Address[] = await provider.request({ method: 'eth_accounts' })
  const deploymentDir = journal ?? join(DEPLOYMENTS, `chain-${await client.getChainId()}`)
  const target: Target = { provider, accounts, deploymentDir }
  const deployment = await deployContracts(target, { ...parameters, Escrow: given })

  const transactions = await listTransactions(deploymentDir, compiledArtifacts)
  const creation = transactions.find(({ address }) => address && isAddressEqual(address as Address, deployment.escrow))
  if (!creation) throw new Error(`${deploymentDir} has no transaction that created ${deployment.escrow}`)
  const receipt = await client.getTransactionReceipt({ hash: creation.txHash as `0x${string}` })
  return {
    ...deployment,
    startBlock: receipt.blockNumber,
    verifyCommand: verifyCommand(deployment, [given.admin, given.resolver, given.pauser].map(String)),
  }
}

/** The constructor's arguments in their order, after the address. Sourcify asks for no account. */
function verifyCommand({ escrow, token }: Deployment, roles: readonly string[]): string {
  const options = '--network reading --contract contracts/Escrow.sol:Escrow'
  return ['npx hardhat verify sourcify', options, escrow, token, ...roles].join(' ')
}
