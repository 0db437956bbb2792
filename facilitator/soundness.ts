import { domainSeparator } from 'viem'
import { escrowAbi } from '../protocol/abi/escrow.ts'
import { tokenAbi } from '../protocol/abi/token.ts'
import type { ChainContext } from './context.ts'
import type { Head } from './head.ts'

/**
 * What stands against anybody's paying into the escrow, at a head; undefined where nothing does. It owes more than it has:
 * its token never makes it so, but one that keeps a fee of what it moves, or takes balance away, does with the first
 * payment. Or the token verifies by another EIP-712 domain than at our start, as after an upgrade, and would refuse every
 * signature that is asked for. Throws what the RPC throws, and where there is no contract any more.
 */
export async function findFault(
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
