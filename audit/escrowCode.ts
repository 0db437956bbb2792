import { type Hex, isAddressEqual, type PublicClient, size } from 'viem'
import { escrowAbi } from '../protocol/generated/escrow.ts'
import type { AuditTarget } from './history.ts'
import { type EscrowBuild, maskImmutables } from './immutables.ts'
import { isReleasedEscrow } from './releasedEscrow.ts'
import type { Finding } from './report.ts'

/**
 * Compares the code at the escrow's address with a build and with earlier releases, except for immutables,
 * and its token with the audited one. The contract's own answers are evidence only if its code is known.
 */
export async function auditEscrowCode(
  client: PublicClient,
  { escrow, token, toBlock }: AuditTarget,
  build: EscrowBuild,
): Promise<Finding[]> {
  const code = (await client.getCode({ address: escrow, blockNumber: toBlock })) ?? '0x'
  if (matchCode(code, build) !== 'exact' && !isReleasedEscrow(code)) {
    const detail = `Its ${size(code)} bytes of code are not what the sources of this version or an earlier one compile to.`
    return [{ code: 'escrow/code-differs', subject: escrow, detail }]
  }
  const held = await client.readContract({
    ...{ address: escrow, abi: escrowAbi, functionName: 'token', blockNumber: toBlock },
  })
  if (isAddressEqual(held, token)) return []
  return [{ code: 'escrow/wrong-token', subject: escrow, detail: `It holds ${held}, and ${token} is audited.` }]
}

/**
 * How far the code at an address is that of a build, except for immutables: `exact` with the hash of the
 * sources in the metadata at its end, `code` if only the metadata differs, which never runs: comments or
 * names of the sources changed.
 */
export type CodeMatch = 'exact' | 'code' | 'none'

/** Returns how far a contract's code is that of a build. */
export function matchCode(code: Hex, build: EscrowBuild): CodeMatch {
  if (size(code) !== size(build.deployedBytecode)) return 'none'
  const [found, expected] = [maskImmutables(code, build), maskImmutables(build.deployedBytecode, build)]
  if (found === expected) return 'exact'
  // Solidity ends the code with CBOR, and that with its length in two bytes.
  const metadataBytes = Number.parseInt(expected.slice(-4), 16) + 2
  return found.slice(0, -2 * metadataBytes) === expected.slice(0, -2 * metadataBytes) ? 'code' : 'none'
}
