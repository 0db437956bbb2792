import { readFile } from 'node:fs/promises'
import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import type { SignedAuthorization } from '../../../protocol/payments/authorization.ts'
import type { TestChain } from './node.ts'
import { mined, roleAccount } from './payments.ts'

const ARTIFACT = new URL('../../../artifacts/test/contracts/Sequence.sol/Sequence.json', import.meta.url)
const sequenceAbi = parseAbi([
  'struct Call { address to; bytes data; }',
  'function run(Call[] calls)',
  'function pretend(address authorizer, bytes32 nonce)',
])

/** A call that an attacker's contract makes. */
export interface Step {
  to: Address
  data: Hex
}

/** Deploys a contract that makes any calls in one transaction. */
export async function deploySequence(chain: TestChain): Promise<Address> {
  const { abi, bytecode } = JSON.parse(await readFile(ARTIFACT, 'utf8'))
  const account = roleAccount(chain, 'deployer')
  const { contractAddress } = await mined(chain, chain.client.deployContract({ abi, bytecode, account }))
  if (!contractAddress) throw new Error('the contract was not deployed')
  return contractAddress
}

/** The calls, in this order, as one call. */
export function together(sequence: Address, steps: readonly Step[]): Step {
  return { to: sequence, data: encodeFunctionData({ abi: sequenceAbi, functionName: 'run', args: [steps] }) }
}

/** Makes the calls in one transaction, in this order, and returns its receipt. */
export async function inOneTransaction(chain: TestChain, sequence: Address, steps: Step[]) {
  const account = roleAccount(chain, 'deployer')
  return mined(chain, chain.client.sendTransaction({ account, ...together(sequence, steps) }))
}

/** A signed authorization, taken to the token. */
export function submission(
  chain: TestChain,
  signed: SignedAuthorization,
  functionName: 'transferWithAuthorization' | 'receiveWithAuthorization' = 'transferWithAuthorization',
): Step {
  const { from, to, value, validAfter, validBefore, nonce, signature } = signed
  const args = [from, to, value, validAfter, validBefore, nonce, signature] as const
  const data = encodeFunctionData({ abi: tokenAbi, functionName, args })
  return { to: chain.token, data }
}

/** An unsigned transfer of tokens that the contract itself has. */
export function transfer(chain: TestChain, to: Address, amountMicros: bigint): Step {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, amountMicros] })
  return { to: chain.token, data }
}

/** An unsigned transfer of what `from` has allowed the contract to take. */
export function transferFrom(chain: TestChain, from: Address, to: Address, amountMicros: bigint): Step {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transferFrom', args: [from, to, amountMicros] })
  return { to: chain.token, data }
}

/** An event that looks like the token's AuthorizationUsed, from another contract. */
export function pretence(sequence: Address, authorizer: Address, nonce: Hex): Step {
  const data = encodeFunctionData({ abi: sequenceAbi, functionName: 'pretend', args: [authorizer, nonce] })
  return { to: sequence, data }
}
