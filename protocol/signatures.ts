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
// The word a contract answers yes with. The token compares all of it, and takes no notice of what follows.
const ERC1271_YES: Hex = `0x1626ba7e${'00'.repeat(28)}`
const WORD_BYTES = 32
// Nodes say these of code that failed without a revert, as geth words them and Hardhat.
const EXCEPTION = /invalid opcode|out of gas|invalid jump|stack (under|over)flow|unrecognized reason/i
// A wallet that needs more to say yes could not pay within the gas of one transaction. Without a limit a node would run its
// code for as long as it likes, and answer nobody else meanwhile.
const ANSWER_GAS = 1_000_000n
// With what a call costs that brings the question along.
const STATIC_CALL_GAS = 2_000_000n
const DEPLOY_AND_ANSWER_GAS = 3_000_000n
const HALF_CURVE_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** How a smart wallet that is not there yet comes to be (ERC-6492): a call that anyone may make. */
export interface WalletDeployment {
  factory: Address
  data: Hex
}

/** A signature as the wallet itself takes it, and the call that would deploy the wallet, where one came with it. */
export interface UnwrappedSignature {
  signature: Hex
  deployment?: WalletDeployment
}

/** What an account is said to have signed: a digest of 32 bytes. */
export interface SignedDigest {
  account: Address
  digest: Hex
  signature: Hex
}

/** Takes an ERC-6492 wrapper off a signature. Undefined for a wrapper that does not hold what it should. */
export function unwrapSignature(signature: Hex): UnwrappedSignature | undefined {
  if (size(signature) < WORD_BYTES || !isErc6492Signature(signature)) return { signature }
  try {
    const { address, data, signature: inner } = parseErc6492Signature(signature)
    return address && data ? { signature: inner, deployment: { factory: address, data } } : undefined
  } catch {
    return undefined
  }
}

/** Whether there is a contract, or an EIP-7702 delegation, at an account. Throws what the RPC throws. */
export async function hasCode(client: PublicClient, account: Address): Promise<boolean> {
  const code = await client.getCode({ address: account })
  return code !== undefined && code !== '0x'
}

/**
 * Whether an account signed a digest, by the rule USDC itself goes by: an account with code answers for itself
 * (ERC-1271, without a fallback to its key), one without code is recovered, from 65 bytes with a low s and a v of 27 or
 * 28. A wallet that is still to be deployed (ERC-6492) is asked as it would answer, and only where its factory is one
 * of `factories`. Throws what the RPC throws when the chain cannot be asked.
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

/** Whether wallets of this factory are deployed for their payers. No list, no factory. */
export function isAllowedFactory(factory: Address, factories: readonly Address[]): boolean {
  return factories.some((allowed) => isAddressEqual(allowed, factory))
}

/** Whether the account's own key signed, in the one form the token takes: 65 bytes, a low s, a v of 27 or 28. */
export async function isSignedByKey({ account, digest, signature }: SignedDigest): Promise<boolean> {
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

async function isSignedByContract(client: PublicClient, { account, digest, signature }: SignedDigest) {
  const question = encodeFunctionData({ abi: ERC1271, functionName: 'isValidSignature', args: [digest, signature] })
  const answer = await answerOf(client.call({ data: staticCall(account, question), gas: STATIC_CALL_GAS }))
  return answer !== undefined && slice(answer, WORD_BYTES) === ERC1271_YES
}

/**
 * Init code, to be run in a call, that asks a contract as the token does: with STATICCALL, so that code that would write
 * before it says yes fails, as it will then. It returns two words, of which the second is the first of the answer: the
 * first is the question's, since what a contract says must not come where code that is deployed begins (EIP-3541). It
 * reverts where the contract does, or says less.
 */
function staticCall(to: Address, data: Hex): Hex {
  // What follows the program, copied to memory; a static call with it; then the first word of what it returned.
  const copyData = '0x5f5f603738038060375f395f'
  const call = `73${to.slice(2)}62${numberToHex(ANSWER_GAS, { size: 3 }).slice(2)}fa602c57`
  const answer = '5f5ffd5b60205f60203e60405ff3'
  return concatHex([`${copyData}${call}${answer}` as Hex, data])
}

// The reference validator of ERC-6492, run as the init code of a call: it deploys the wallet, asks it, and leaves no trace.
async function isSignedByFutureContract(client: PublicClient, { account, digest, signature }: SignedDigest) {
  const question = encodeAbiParameters(
    [{ type: 'address' }, { type: 'bytes32' }, { type: 'bytes' }],
    [account, digest, signature],
  )
  const data = concatHex([erc6492SignatureValidatorByteCode, question])
  const answer = await answerOf(client.call({ data, gas: DEPLOY_AND_ANSWER_GAS }))
  return answer !== undefined && BigInt(answer) === 1n
}

/** What a call returned; undefined when it returned nothing or reverted. */
async function answerOf(call: Promise<{ data?: Hex | undefined }>): Promise<Hex | undefined> {
  try {
    const { data } = await call
    return data === '0x' ? undefined : data
  } catch (error) {
    if (isRevert(error)) return undefined
    throw error
  }
}

/** Whether the code that was called ended in failure, as opposed to the node not answering. */
function isRevert(error: unknown): boolean {
  if (!(error instanceof CallExecutionError)) return false
  const isFailure = (cause: unknown) =>
    cause instanceof ExecutionRevertedError || (cause instanceof BaseError && EXCEPTION.test(cause.details))
  return error.walk(isFailure) !== null
}
