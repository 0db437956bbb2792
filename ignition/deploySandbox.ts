import type { EIP1193Provider } from '@nomicfoundation/ignition-core'
import { createPublicClient, http } from 'viem'
import { type Deployment, deployContracts } from './deployContracts.ts'
import { readParameters } from './parameters.ts'
import { type SandboxAccount, type SandboxRole, sandboxAccounts } from './sandboxAccounts.ts'

/** What stands on the sandbox's chain, and who runs it. */
export interface SandboxDeployment extends Deployment {
  /** The first block that can hold an event of the escrow or the token. */
  startBlock: bigint
  accounts: Record<SandboxRole, SandboxAccount>
}

/**
 * Deploys USDC and the Escrow on a fresh `hardhat node`, with the roles of `sandboxAccounts`. Takes about a
 * second; the contracts must be compiled. `mine: false` leaves mining to the node's own interval.
 */
export async function deploySandbox(options: { rpcUrl: string; mine?: boolean }): Promise<SandboxDeployment> {
  const client = createPublicClient({ transport: http(options.rpcUrl), cacheTime: 0, ccipRead: false })
  const node: EIP1193Provider = { request: client.request as EIP1193Provider['request'] }
  const accounts = sandboxAccounts()
  const startBlock = (await client.getBlockNumber()) + 1n
  const deployment = await deployContracts(
    {
      provider: options.mine === false ? node : miningProvider(node),
      accounts: [accounts.deployer.address],
      config: { requiredConfirmations: 1, blockPollingInterval: 1 },
    },
    await readParameters('sandbox'),
  )
  return { ...deployment, startBlock, accounts }
}

/** Has the node mine whenever Ignition looks for a new block, so that none is waited for. */
function miningProvider(node: EIP1193Provider): EIP1193Provider {
  return {
    async request(args) {
      if (args.method === 'eth_getBlockByNumber') await node.request({ method: 'evm_mine' })
      return node.request(args)
    },
  }
}
