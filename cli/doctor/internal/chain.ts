import { type Address, createPublicClient, formatEther, type PublicClient, zeroAddress } from 'viem'
import { checkChain, WrongChain } from '../../../facilitator/preflight.ts'
import { escrowAbi } from '../../../protocol/generated/escrow.ts'
import { nodeTransport } from '../../../protocol/rpc/rpc.ts'
import { type Check, type Fault, LIMIT_MS } from './check.ts'
import type { ChainPlace, Place } from './place.ts'

const DEPLOYED = 'set CHAIN_ID, ESCROW_ADDRESS, TOKEN_ADDRESS and START_BLOCK as ./market deploy printed them'

/**
 * Checks that each node answers and serves the configured chain and contracts, and that the facilitator's
 * keys have gas.
 */
export function chainChecks({ chain, gas }: Place): Check[] {
  if (!chain) return []
  const [first] = chain.nodes
  return [
    ...chain.nodes.map(({ variable, url }) => ({
      name: variable,
      cure: `see that the node of ${variable} answers, and that its key is right`,
      find: () => nodeFaults(openNode(url), variable, chain),
    })),
    ...(gas && first
      ? [
          {
            name: 'gas',
            cure: 'see RPC_URL',
            find: () => gasFaults(openNode(first.url), gas),
          },
        ]
      : []),
  ]
}

/** Returns a client of a node that waits no longer than a check may take. */
export function openNode(url: string): PublicClient {
  const transport = nodeTransport(url, { retryCount: 0, deadlineMs: LIMIT_MS })
  return createPublicClient({ transport, cacheTime: 0, ccipRead: false })
}

async function nodeFaults(node: PublicClient, variable: string, chain: ChainPlace): Promise<Fault[]> {
  try {
    const resolver = chain.resolver ?? (await resolverOf(node, chain.escrow))
    await checkChain(node, chain, resolver)
  } catch (error) {
    if (!(error instanceof WrongChain)) throw error
    return [{ fault: error.message.replace(/^RPC_URL/, variable), cure: DEPLOYED }]
  }
  const head = await node.getBlockNumber()
  if (head >= chain.startBlock) return []
  const fault = `START_BLOCK is ${chain.startBlock}, and ${variable} knows blocks up to ${head}`
  return [{ fault, cure: `${DEPLOYED}, or wait until the node has followed the chain` }]
}

/**
 * A process without the resolver's key has nothing to compare with. Where there is no escrow, checkChain says
 * so.
 */
function resolverOf(node: PublicClient, escrow: Address): Promise<Address> {
  return node.readContract({ address: escrow, abi: escrowAbi, functionName: 'resolver' }).catch(() => zeroAddress)
}

async function gasFaults(node: PublicClient, { accounts, minWei }: NonNullable<Place['gas']>): Promise<Fault[]> {
  const balances = await Promise.all(accounts.map(({ address }) => node.getBalance({ address })))
  return accounts.flatMap(({ variable, address }, place) => {
    const balance = balances[place] ?? 0n
    if (balance >= minWei) return []
    const fault = `${address} of ${variable} has ${formatEther(balance)} native coins for gas`
    return [
      { fault, cure: `send it at least ${formatEther(minWei)} (MIN_GAS_BALANCE), and more for what it is to send` },
    ]
  })
}
