import { type Hex, isAddressEqual, type PublicClient, size } from 'viem'
import { escrowAbi } from '../protocol/generated/escrow.ts'
import type { AuditTarget } from './history.ts'
import type { Finding } from './report.ts'

/** The members of the compiler's artifact of the contract that the audit reads. */
export interface EscrowBuild {
  deployedBytecode: Hex
  /** Where the constructor writes immutables into the code, in bytes. */
  immutableReferences: Record<string, readonly { start: number; length: number }[]>
}

/**
 * Compares the code at the escrow's address with a build, except for immutables, and its token with the audited one.
 * The contract's own answers are evidence only if its code is known.
 */
export async function auditEscrowCode(
  client: PublicClient,
  { escrow, token, toBlock }: AuditTarget,
  build: EscrowBuild,
): Promise<Finding[]> {
  const code = (await client.getCode({ address: escrow, blockNumber: toBlock })) ?? '0x'
  if (masked(code, build) !== masked(build.deployedBytecode, build)) {
    const detail = `Its ${size(code)} bytes of code are not what the sources of this version compile to.`
    return [{ code: 'escrow/code-differs', subject: escrow, detail }]
  }
  const held = await client.readContract({
    ...{ address: escrow, abi: escrowAbi, functionName: 'token', blockNumber: toBlock },
  })
  if (isAddressEqual(held, token)) return []
  return [{ code: 'escrow/wrong-token', subject: escrow, detail: `It holds ${held}, and ${token} is audited.` }]
}

/** Returns the code with its immutables replaced by zeros. */
function masked(code: Hex, { immutableReferences }: EscrowBuild): string {
  const bytes = Buffer.from(code.slice(2), 'hex')
  for (const { start, length } of Object.values(immutableReferences).flat()) bytes.fill(0, start, start + length)
  return bytes.toString('hex')
}
