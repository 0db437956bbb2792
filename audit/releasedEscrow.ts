import { type Hex, keccak256, size } from 'viem'
import { type EscrowBuild, maskImmutables } from './immutables.ts'

interface ReleasedEscrow extends Pick<EscrowBuild, 'immutableReferences'> {
  bytes: number
  /** keccak256 of the deployed code with zeros for immutables. */
  codeHash: Hex
}

/** The contracts of earlier releases: they have no upgrade, and keep paying out. */
const RELEASED: Readonly<Record<string, ReleasedEscrow>> = {
  '1.0.0-rc.1': {
    bytes: 16_481,
    codeHash: '0xc77ea961417c31a04fcb1187ee688bc618186d1c7dce6a5ba6c478b00e513bd9',
    immutableReferences: {
      token: [
        755, 2_484, 4_368, 5_276, 5_966, 7_503, 7_844, 10_949, 11_312, 12_502, 13_740, 14_491, 14_740, 16_091,
      ].map((start) => ({ start, length: 32 })),
    },
  },
}

/** Returns whether a contract's code is that of an earlier release, immutables apart. */
export function isReleasedEscrow(code: Hex): boolean {
  return Object.values(RELEASED).some(
    (released) => size(code) === released.bytes && keccak256(maskImmutables(code, released)) === released.codeHash,
  )
}
