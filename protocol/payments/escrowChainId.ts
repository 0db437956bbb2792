import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  type PublicClient,
} from 'viem'
import { escrowAbi } from '../generated/escrow.ts'

/**
 * Returns the chain id that an escrow hashes into the ids of its holds: the id of its chain at the
 * deployment. Returns undefined for an escrow of 1.0.0-rc.1, which hashes the id that its chain has at the
 * moment of the call. Throws any other error of the RPC.
 */
export async function readEscrowChainId(
  client: Pick<PublicClient, 'readContract'>,
  escrow: Address,
  blockNumber?: bigint,
): Promise<number | undefined> {
  const call = { address: escrow, abi: escrowAbi, functionName: 'chainId' } as const
  try {
    return Number(await client.readContract(blockNumber === undefined ? call : { ...call, blockNumber }))
  } catch (error) {
    if (hasNoSuchFunction(error)) return undefined
    throw error
  }
}

function hasNoSuchFunction(error: unknown): boolean {
  const isRefusal = (cause: unknown) =>
    cause instanceof ContractFunctionRevertedError || cause instanceof ContractFunctionZeroDataError
  return error instanceof BaseError && error.walk(isRefusal) !== null
}
