import { domainSeparator } from 'viem'
import { escrowAbi } from '../protocol/generated/escrow.ts'
import { tokenAbi } from '../protocol/generated/token.ts'
import type { Head } from './chain/head.ts'
import type { ChainContext } from './context/chain.ts'

/**
 * Returns what blocks all payments into the escrow at a head, or undefined. Either it owes more than it has:
 * the configured token never causes that, but one that keeps a fee of each transfer, or takes balance away,
 * does with the first payment. Or the token verifies by another EIP-712 domain than at our start, as after an
 * upgrade, and would refuse every requested signature. Throws any error of the RPC, and if the contract no
 * longer exists.
 */
export async function solvencyFault(
  { client, at, domain }: ChainContext,
  { latest: { hash: blockHash } }: Head,
): Promise<string | undefined> {
  const token = { address: at.token, abi: tokenAbi, blockHash } as const
  const [owed, held, separator] = await Promise.all([
    client.readContract({ address: at.escrow, abi: escrowAbi, functionName: 'totalOwed', blockHash }),
    client.readContract({ ...token, functionName: 'balanceOf', args: [at.escrow] }),
    client.readContract({ ...token, functionName: 'DOMAIN_SEPARATOR' }),
  ])
  if (owed > held) return `the escrow owes ${owed - held} micro-units more than it has`
  return separator === domainSeparator({ domain }) ? undefined : 'the token verifies by another domain than it did'
}
