import {
  type Address,
  BaseError,
  CallExecutionError,
  decodeFunctionResult,
  ExecutionRevertedError,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  type PublicClient,
  parseAbi,
  recoverAddress,
  size,
  slice,
} from 'viem'

const ERC1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
const ERC1271_MAGIC = '0x1626ba7e'
const HALF_CURVE_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/**
 * Whether an account signed a digest, by the rule USDC itself goes by: an account with code answers for itself
 * (ERC-1271, without a fallback), one without code is recovered, from 65 bytes with a low s and a v of 27 or 28.
 * Throws what the RPC throws when the chain cannot be asked.
 */
export async function isSignedBy(rpc: PublicClient, account: Address, digest: Hex, signature: Hex): Promise<boolean> {
  const code = await rpc.getCode({ address: account })
  if (code && code !== '0x') return isSignedByContract(rpc, account, digest, signature)
  return isSignedByKey(account, digest, signature)
}

async function isSignedByKey(account: Address, digest: Hex, signature: Hex): Promise<boolean> {
  if (size(signature) !== 65) return false
  const v = Number(slice(signature, 64))
  if (BigInt(slice(signature, 32, 64)) > HALF_CURVE_ORDER || (v !== 27 && v !== 28)) return false
  try {
    return isAddressEqual(await recoverAddress({ hash: digest, signature }), account)
  } catch {
    // Not a point on the curve: nobody's signature.
    return false
  }
}

async function isSignedByContract(rpc: PublicClient, account: Address, digest: Hex, signature: Hex): Promise<boolean> {
  const data = encodeFunctionData({ abi: ERC1271, functionName: 'isValidSignature', args: [digest, signature] })
  try {
    const answer = await rpc.call({ to: account, data })
    return answer.data === undefined ? false : isMagic(answer.data)
  } catch (error) {
    if (isRevert(error)) return false
    throw error
  }
}

function isMagic(data: Hex): boolean {
  try {
    return decodeFunctionResult({ abi: ERC1271, functionName: 'isValidSignature', data }) === ERC1271_MAGIC
  } catch {
    return false
  }
}

function isRevert(error: unknown): boolean {
  if (!(error instanceof CallExecutionError)) return false
  return error.walk((cause) => cause instanceof ExecutionRevertedError) instanceof BaseError
}
