import { createPublicClient, formatEther, type PublicClient } from 'viem'
import { checkChain, checkMulticall } from '../../../facilitator/preflight.ts'
import { requireRemoteKeys } from '../../../facilitator/remoteSigner.ts'
import { requireSameChain } from '../../../indexer/schemaName.ts'
import { Unfit } from '../../../protocol/environment/databaseFaults.ts'
import { nodeTransport } from '../../../protocol/rpc/rpc.ts'
import { type Check, type Fault, inSession, LIMIT_MS } from './check.ts'
import type { ChainPlace, Place } from './place.ts'

const DEPLOYED = 'set CHAIN_ID, ESCROW_ADDRESS, TOKEN_ADDRESS and START_BLOCK as ./market deploy printed them'

/**
 * Checks that each node answers and serves the configured chain and contracts, that the index is of that
 * chain, and that the facilitator's keys have gas.
 */
export function chainChecks({ process, chain, gas, index }: Place): Check[] {
  if (!chain) return []
  const [first] = chain.nodes
  return [
    ...(process === 'indexer' && index && first
      ? [
          {
            name: 'chain of the index',
            cure: 'set INDEX_DATABASE_URL to a new database',
            find: () => otherChainFaults(openNode(first.url), index.url, chain.chainId),
          },
        ]
      : []),
    ...(chain.needsMulticall && first
      ? [
          {
            name: 'WALLET_FACTORIES',
            cure: 'leave WALLET_FACTORIES empty in all processes, or use a chain that has Multicall3',
            find: () => checkMulticall(openNode(first.url)).then(() => []),
          },
        ]
      : []),
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

/** Checks that the remote signer of a facilitator has the keys of its accounts. */
export function signerChecks({ signer }: Place): Check[] {
  if (!signer) return []
  return [
    {
      name: 'SIGNER_URL',
      cure: 'see that the signer runs, and has the keys of all accounts that are set (docs/operate/keys.md)',
      find: () => requireRemoteKeys(signer.url, signer.accounts).then(() => []),
    },
  ]
}

/** Returns a client of a node that waits no longer than a check may take. */
export function openNode(url: string): PublicClient {
  const transport = nodeTransport(url, { retryCount: 0, deadlineMs: LIMIT_MS })
  return createPublicClient({ transport, cacheTime: 0, ccipRead: false })
}

async function nodeFaults(node: PublicClient, variable: string, chain: ChainPlace): Promise<Fault[]> {
  try {
    await checkChain(node, chain, { resolver: chain.resolver, variable })
  } catch (error) {
    if (!(error instanceof Unfit)) throw error
    return [{ fault: error.message, cure: DEPLOYED }]
  }
  const head = await node.getBlockNumber()
  if (head >= chain.startBlock) return []
  const fault = `START_BLOCK is ${chain.startBlock}, and ${variable} knows blocks up to ${head}`
  return [{ fault, cure: `${DEPLOYED}, or wait until the node has followed the chain` }]
}

async function otherChainFaults(node: PublicClient, indexUrl: string, chainId: number): Promise<Fault[]> {
  const { hash } = await node.getBlock({ blockNumber: 0n })
  await inSession(indexUrl, (client) => requireSameChain(client, chainId, hash))
  return []
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
