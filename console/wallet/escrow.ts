// Loaded when a wallet is asked for something of the escrow contract.
import { type Address, decodeFunctionResult, encodeFunctionData } from 'viem'
import { escrowAbi } from '../../protocol/abi/escrow.ts'
import { type ConnectedWallet, type ContractCall, readContract } from './wallets.ts'

/** Returns the credit of an account at the escrow contract, in micro-units, by the wallet's own node. */
export async function readClaimable(wallet: ConnectedWallet, escrow: Address): Promise<bigint> {
  const data = encodeFunctionData({ abi: escrowAbi, functionName: 'claimable', args: [wallet.address] })
  const answer = await readContract(wallet, { to: escrow, data })
  return decodeFunctionResult({ abi: escrowAbi, functionName: 'claimable', data: answer })
}

/** Returns the call that pays the caller's whole credit out: to the caller, or to another address. */
export function withdrawCall(escrow: Address, to?: Address): ContractCall {
  return {
    to: escrow,
    data: to
      ? encodeFunctionData({ abi: escrowAbi, functionName: 'withdrawTo', args: [to] })
      : encodeFunctionData({ abi: escrowAbi, functionName: 'withdraw' }),
  }
}
