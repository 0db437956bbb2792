import { glob } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { ROOT } from '../../../machine/paths.ts'
import { type Compiled, compile, type Mode } from './compiler.ts'
import type { Outcome, Question } from './outcome.ts'
import { openSuites, type Suites } from './suites.ts'

const TESTS = 'test/contracts/**/*.t.sol'
// Long sequences of actions take longest, and mutants that other tests kill need not wait for them.
const SEQUENCES = /invariant/

/** Tests mutants, one at a time. */
export type Judge = (question: Question) => Promise<Outcome>

/** Prepares to test mutants, in its own folder. */
export async function openJudge(folder: string): Promise<Judge> {
  const files = (await Array.fromAsync(glob(TESTS, { cwd: ROOT }))).sort()
  const suites = await openSuites(folder)
  const originals = new Map<Mode, Compiled>()

  /**
   * Checks first that the tests pass on the original contract: otherwise every mutant would count as killed.
   */
  const originalIn = async (mode: Mode) => {
    const known = originals.get(mode)
    if (known) return known
    const original = requireCompiled(compile(new Map(), mode))
    const failed = await firstFailure(suites, original, stages(files, undefined), mode === 'production')
    if (failed) throw new Error(`the tests fail on the contract itself: ${failed}`)
    originals.set(mode, original)
    return original
  }

  return async ({ path, text, likely, thorough }) => {
    const mode = thorough ? 'production' : 'quick'
    const mutant = compile(new Map([[path, text]]), mode)
    if (!mutant) return { kind: 'stillborn' }
    const original = await originalIn(mode)
    if (mutant.bytecode === original.bytecode && isDeepStrictEqual(mutant.abi, original.abi)) {
      return { kind: 'equivalent' }
    }
    const failed = await firstFailure(suites, mutant, stages(files, likely), thorough)
    if (failed) return { kind: 'killed', by: failed }
    // ./market check compares the ABI in protocol/ with the contract.
    return isDeepStrictEqual(mutant.abi, original.abi) ? { kind: 'survived' } : { kind: 'killed', by: 'the ABI check' }
  }
}

async function firstFailure(suites: Suites, mutant: Compiled, order: readonly string[][], thorough: boolean) {
  for (const files of order) {
    const failed = await suites.firstFailure(mutant, files, thorough)
    if (failed) return failed
  }
  return undefined
}

function stages(files: readonly string[], likely: string | undefined): string[][] {
  const first = files.filter((file) => file === likely)
  const last = files.filter((file) => SEQUENCES.test(file))
  const rest = files.filter((file) => !first.includes(file) && !last.includes(file))
  return [first, rest, last].filter((stage) => stage.length > 0)
}

function requireCompiled(compiled: Compiled | undefined): Compiled {
  if (!compiled) throw new Error('The contract itself does not compile.')
  return compiled
}
