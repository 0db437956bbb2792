import { readFile } from 'node:fs/promises'
import type { Address, Hex } from 'viem'
import { escrowAbi } from '../../../protocol/generated/escrow.ts'
import type { TestChain } from './node.ts'
import { mined, roleAccount } from './payments.ts'

const BUILD = new URL('../releases/escrow-1.0.0-rc.1.json', import.meta.url)

/** Deploys the escrow of 1.0.0-rc.1, as its release compiled it, for the roles of the chain. */
export async function deployFormerEscrow(chain: TestChain): Promise<Address> {
  const { bytecode }: { bytecode: Hex } = JSON.parse(await readFile(BUILD, 'utf8'))
  const { deployer, resolver } = chain.accounts
  const args = [chain.token, deployer.address, resolver.address, deployer.address] as const
  const account = roleAccount(chain, 'deployer')
  const deployed = chain.client.deployContract({ abi: escrowAbi, bytecode, args, account })
  const { contractAddress } = await mined(chain, deployed)
  if (!contractAddress) throw new Error('no contract was deployed')
  return contractAddress
}
