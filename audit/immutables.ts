import type { Hex } from 'viem'

/** The members of the compiler's artifact of the contract that the audit reads. */
export interface EscrowBuild {
  deployedBytecode: Hex
  /** Where the constructor writes immutables into the code, in bytes. */
  immutableReferences: Record<string, readonly { start: number; length: number }[]>
}

/** Returns the code with its immutables replaced by zeros. */
export function maskImmutables(code: Hex, { immutableReferences }: Pick<EscrowBuild, 'immutableReferences'>): Hex {
  const bytes = Buffer.from(code.slice(2), 'hex')
  for (const { start, length } of Object.values(immutableReferences).flat()) bytes.fill(0, start, start + length)
  return `0x${bytes.toString('hex')}`
}
