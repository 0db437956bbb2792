import {
  type Address,
  BaseError,
  CallExecutionError,
  concatHex,
  ExecutionRevertedError,
  encodeAbiParameters,
  encodeFunctionData,
  erc6492SignatureValidatorByteCode,
  type Hex,
  isAddressEqual,
  isErc6492Signature,
  numberToHex,
  type PublicClient,
  parseAbi,
  parseErc6492Signature,
  recoverAddress,
  size,
  slice,
} from 'viem'

const ERC1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
// The ERC-1271 magic value as a full word. The token compares all of it, and ignores what follows.
const ERC1271_YES: Hex = `0x1626ba7e${'00'.repeat(28)}`
const WORD_BYTES = 32
// Messages of geth and Hardhat for code that failed without a revert.
const EXCEPTION = /invalid opcode|out of gas|invalid jump|stack (under|over)flow|unrecognized reason/i
// A wallet that needs more to validate could not pay within the gas of one transaction. Without a limit a
// node would run its code without end, and answer no other request meanwhile.
const ANSWER_GAS = 1_000_000n
// Includes the cost of the call that carries the question.
const STATIC_CALL_GAS = 2_000_000n
const DEPLOY_AND_ANSWER_GAS = 3_000_000n
const HALF_CURVE_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** How a smart wallet that does not exist yet is deployed (ERC-6492): a call that anyone may make. */
export interface WalletDeployment {
  factory: Address
  data: Hex
}

/** A signature in the wallet's own form, and the call that would deploy the wallet, if one came with it. */
export interface UnwrappedSignature {
  signature: Hex
  deployment?: WalletDeployment
}

/** A 32-byte digest, and the account that may have signed it. */
export interface SignedDigest {
  account: Address
  digest: Hex
  signature: Hex
}

/** Removes an ERC-6492 wrapper from a signature. Returns undefined for a malformed wrapper. */
export function unwrapSignature(signature: Hex): UnwrappedSignature | undefined {
  if (size(signature) < WORD_BYTES || !isErc6492Signature(signature)) return { signature }
  try {
    const { address, data, signature: inner } = parseErc6492Signature(signature)
    return address && data ? { signature: inner, deployment: { factory: address, data } } : undefined
  } catch {
    return undefined
  }
}

/** Returns whether an account has code, including an EIP-7702 delegation. Throws any error of the RPC. */
export async function hasCode(client: PublicClient, account: Address): Promise<boolean> {
  const code = await client.getCode({ address: account })
  return code !== undefined && code !== '0x'
}

/**
 * Returns whether an account signed a digest, by USDC's own rule: an account with code is called (ERC-1271,
 * without a fallback to its key), one without code is recovered, from 65 bytes with a low s and a v of 27 or
 * 28. A wallet that is not deployed yet (ERC-6492) is called as it would be deployed, and only if its factory
 * is one of `factories`. Throws any error of the RPC.
 */
export async function isSignedBy(
  client: PublicClient,
  { account, digest, signature }: SignedDigest,
  factories: readonly Address[],
): Promise<boolean> {
  const unwrapped = unwrapSignature(signature)
  if (!unwrapped) return false
  if (await hasCode(client, account)) {
    return isSignedByContract(client, { account, digest, signature: unwrapped.signature })
  }
  if (!unwrapped.deployment) return isSignedByKey({ account, digest, signature })
  if (!isAllowedFactory(unwrapped.deployment.factory, factories)) return false
  return isSignedByFutureContract(client, { account, digest, signature })
}

/** Returns whether wallets of this factory are deployed for their payers. An empty list allows none. */
export function isAllowedFactory(factory: Address, factories: readonly Address[]): boolean {
  return factories.some((allowed) => isAddressEqual(allowed, factory))
}

/**
 * Returns whether the account's own key signed, in the only form the token accepts: 65 bytes, a low s, a v of
 * 27 or 28.
 */
export async function isSignedByKey({ account, digest, signature }: SignedDigest): Promise<boolean> {
  if (size(signature) !== 65) return false
  const v = Number(slice(signature, 64))
  if (BigInt(slice(signature, 32, 64)) > HALF_CURVE_ORDER || (v !== 27 && v !== 28)) return false
  try {
    return isAddressEqual(await recoverAddress({ hash: digest, signature }), account)
  } catch {
    // Not a point on the curve: no account's signature.
    return false
  }
}

async function isSignedByContract(client: PublicClient, { account, digest, signature }: SignedDigest) {
  const question = encodeFunctionData({ abi: ERC1271, functionName: 'isValidSignature', args: [digest, signature] })
  const answer = await answerOf(client.call({ data: staticCall(account, question), gas: STATIC_CALL_GAS }))
  return answer !== undefined && slice(answer, WORD_BYTES) === ERC1271_YES
}

/**
 * Returns init code, to be run in a call, that calls a contract as the token does: with STATICCALL, so that
 * code that writes before it answers fails, as it would then. It returns two words: the first word of the
 * question, then the first word of the answer. The answer must not come first, because that is where deployed
 * code begins (EIP-3541). It reverts if the contract reverts or returns less than a word.
 */
function staticCall(to: Address, data: Hex): Hex {
  // Copies what follows the program to memory, makes a static call with it, and returns the first word of its
  // result.
  const copyData = '0x5f5f603738038060375f395f'
  const call = `73${to.slice(2)}62${numberToHex(ANSWER_GAS, { size: 3 }).slice(2)}fa602c57`
  const answer = '5f5ffd5b60205f60203e60405ff3'
  return concatHex([`${copyData}${call}${answer}` as Hex, data])
}

// Runs the reference validator of ERC-6492 as the init code of a call: it deploys the wallet, calls it, and
// changes no state.
async function isSignedByFutureContract(client: PublicClient, { account, digest, signature }: SignedDigest) {
  const question = encodeAbiParameters(
    [{ type: 'address' }, { type: 'bytes32' }, { type: 'bytes' }],
    [account, digest, signature],
  )
  const data = concatHex([erc6492SignatureValidatorByteCode, question])
  const answer = await answerOf(client.call({ data, gas: DEPLOY_AND_ANSWER_GAS }))
  return answer !== undefined && BigInt(answer) === 1n
}

/** Returns what a call returned; undefined if it returned nothing or reverted. */
async function answerOf(call: Promise<{ data?: Hex | undefined }>): Promise<Hex | undefined> {
  try {
    const { data } = await call
    return data === '0x' ? undefined : data
  } catch (error) {
    if (isRevert(error)) return undefined
    throw error
  }
}

/** Returns whether the called code failed, rather than the node. */
function isRevert(error: unknown): boolean {
  if (!(error instanceof CallExecutionError)) return false
  const isFailure = (cause: unknown) =>
    cause instanceof ExecutionRevertedError || (cause instanceof BaseError && EXCEPTION.test(cause.details))
  return error.walk(isFailure) !== null
}
