import type { Address, Hex } from 'viem'
import { escrowAbi } from '../../../protocol/generated/escrow.ts'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import { askAll } from '../../../protocol/rpc/askAll.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { agreed } from '../chain/nodes.ts'
import type { ComparedAccount } from './accounts.ts'
import type { ChainFigures, Finding } from './checks.ts'

// In the order of the contract's enum.
const HELD = 1

/**
 * Returns the escrow's and the hot wallet's balances, and the escrow's debts, at a block. Throws as `agreed`.
 */
export function chainFigures(services: JobServices, blockNumber: bigint): Promise<ChainFigures> {
  const { escrow, token, hotWallet } = services.settings.chain
  const balance = { address: token, abi: tokenAbi, functionName: 'balanceOf', blockNumber } as const
  return agreed(services, `the balances at block ${blockNumber}`, async (node) => {
    const [escrowMicros, walletMicros, owedMicros] = await Promise.all([
      node.readContract({ ...balance, args: [escrow] }),
      node.readContract({ ...balance, args: [hotWallet] }),
      node.readContract({ address: escrow, abi: escrowAbi, functionName: 'totalOwed', blockNumber }),
    ])
    return { escrowMicros, walletMicros, owedMicros }
  })
}

/** Compares the given holds and credits, one by one, with the contract's at a block. Throws as `agreed`. */
export async function judgeOnChain(
  services: JobServices,
  accounts: readonly ComparedAccount[],
  blockNumber: bigint,
): Promise<Finding[]> {
  return (await askAll(accounts, (account) => judgeOne(services, account, blockNumber))).flat()
}

async function judgeOne(services: JobServices, account: ComparedAccount, blockNumber: bigint): Promise<Finding[]> {
  const { id, kind, owner, balanceMicros } = account
  const about = { subject: owner, account: `${id}` }
  const at = { address: services.settings.chain.escrow, abi: escrowAbi, blockNumber } as const
  if (kind === 'claimable') {
    const seen = await agreed(services, `the credit of ${owner}`, (node) =>
      node.readContract({ ...at, functionName: 'claimable', args: [owner as Address] }),
    )
    if (seen === balanceMicros) return []
    return [{ ...about, code: 'claimable/chain', booked: `${balanceMicros}`, expected: `${seen}` }]
  }
  const state = await agreed(services, `hold ${owner}`, (node) =>
    node.readContract({ ...at, functionName: 'stateOf', args: [owner as Hex] }),
  )
  const isBooked = balanceMicros !== null && balanceMicros > 0n
  if ((state === HELD) === isBooked) return []
  const words = (isHeld: boolean) => (isHeld ? 'held' : 'not held')
  return [{ ...about, code: 'hold/state', booked: words(isBooked), expected: words(state === HELD) }]
}
