import {
  AbiDecodingDataSizeTooSmallError,
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  type Hex,
  hashMessage,
  isAddressEqual,
  parseAbi,
  recoverAddress,
} from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import type { ChainContext } from './context.ts'

const ERC1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
const ERC1271_MAGIC = '0x1626ba7e'

/** The EIP-4361 message with which an owner bound a wallet, and its signature. */
export interface WalletBinding {
  message: string
  signature: Hex
}

/**
 * Whether the owner of `wallet` signed this binding: the message is an EIP-4361 one for that address on our chain, and
 * the signature is the address's own, or one that the contract there accepts (ERC-1271). Throws what the RPC throws.
 */
export async function isBoundTo(context: ChainContext, wallet: Address, binding: WalletBinding): Promise<boolean> {
  const { address, chainId, nonce } = parseSiweMessage(binding.message)
  if (!address || !nonce || chainId !== context.at.chainId || !isAddressEqual(address, wallet)) return false
  const digest = hashMessage(binding.message)
  if (await isSignedByKey(wallet, digest, binding.signature)) return true
  return isSignedByContract(context, wallet, digest, binding.signature)
}

async function isSignedByKey(wallet: Address, digest: Hex, signature: Hex): Promise<boolean> {
  try {
    return isAddressEqual(await recoverAddress({ hash: digest, signature }), wallet)
  } catch {
    // Not the signature of any key.
    return false
  }
}

async function isSignedByContract(
  { client }: ChainContext,
  wallet: Address,
  digest: Hex,
  signature: Hex,
): Promise<boolean> {
  const code = await client.getCode({ address: wallet })
  if (!code) return false
  try {
    const answer = await client.readContract({
      address: wallet,
      abi: ERC1271,
      functionName: 'isValidSignature',
      args: [digest, signature],
    })
    return answer === ERC1271_MAGIC
  } catch (error) {
    if (isAnswer(error)) return false
    throw error
  }
}

/** Whether the contract answered, though not as ERC-1271 has it; else the node did not. */
function isAnswer(error: unknown): boolean {
  const answers = [ContractFunctionRevertedError, ContractFunctionZeroDataError, AbiDecodingDataSizeTooSmallError]
  const isOne = (cause: unknown) => answers.some((answer) => cause instanceof answer)
  return error instanceof BaseError && error.walk(isOne) !== null
}
