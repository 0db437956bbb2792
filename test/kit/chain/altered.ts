import { encodeFunctionData, zeroHash } from 'viem'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import type { Interceptor } from '../../e2e/rpcProxy.ts'

const DOMAIN_SEPARATOR = encodeFunctionData({ abi: tokenAbi, functionName: 'DOMAIN_SEPARATOR' })

/** The node, if its token verified signatures by another EIP-712 domain than its name and version say. */
export const withOtherDomain: Interceptor = async ({ method, params }, forward) => {
  const answer = await forward()
  const [call] = params as [{ data?: string }?]
  if (method !== 'eth_call' || call?.data !== DOMAIN_SEPARATOR) return answer
  return JSON.stringify({ ...JSON.parse(answer), result: zeroHash })
}
