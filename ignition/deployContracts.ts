import type { DeploymentParameters } from '@nomicfoundation/ignition-core'
import { type Address, createPublicClient, custom, getAddress, isAddress } from 'viem'
import Escrow from './modules/Escrow.ts'
import UsdToken from './modules/UsdToken.ts'
import { runModule, type Target } from './runModule.ts'
import { type TokenNames, verifyTokenDomain } from './tokenDomain.ts'

/** What stands on a chain after a deployment. */
export interface Deployment {
  chainId: number
  token: Address
  tokenNames: TokenNames
  escrow: Address
}

/**
 * Deploys the Escrow, and USDC first where the parameters name no token.
 * Throws an Error when the token is not what payers' wallets will take it for, or a step fails.
 */
export async function deployContracts(target: Target, parameters: DeploymentParameters): Promise<Deployment> {
  const client = createPublicClient({ transport: custom(target.provider), ccipRead: false })
  const token = existingToken(parameters) ?? addressOf(await runModule(target, UsdToken, parameters), 'UsdToken#Token')
  const tokenNames = await verifyTokenDomain(client, token)
  const contracts = await runModule(target, Escrow, { Escrow: { ...parameters.Escrow, token } })
  return { chainId: await client.getChainId(), token, tokenNames, escrow: addressOf(contracts, 'Escrow#Escrow') }
}

function existingToken(parameters: DeploymentParameters): Address | undefined {
  const token = parameters.Escrow?.token
  if (token === undefined) return undefined
  if (typeof token !== 'string' || !isAddress(token)) throw new Error(`Escrow.token is no address: ${String(token)}`)
  return getAddress(token)
}

function addressOf(contracts: Map<string, Address>, id: string): Address {
  const address = contracts.get(id)
  if (!address) throw new Error(`the deployment has no ${id}`)
  return address
}
