import { type Hex, isHex } from 'viem'
import { z } from 'zod'
import type { EscrowBuild } from '../../../audit/immutables.ts'
import { ROOT } from '../../machine/paths.ts'
import { compileContracts } from '../../stack/compile.ts'
import { readJson } from '../../terminal/jsonFile.ts'

const artifact = z.object({
  deployedBytecode: z.custom<Hex>((value) => isHex(value), 'must be hex'),
  immutableReferences: z.record(z.string(), z.array(z.object({ start: z.int(), length: z.int() }))),
})

let build: Promise<EscrowBuild> | undefined

/**
 * Returns the compiled sources of this repository. Compiles changed ones, once per process. Throws if they do
 * not compile.
 */
export function readEscrowBuild(): Promise<EscrowBuild> {
  build ??= compileContracts().then(() => readJson(`${ROOT}artifacts/contracts/Escrow.sol/Escrow.json`, artifact))
  return build
}
