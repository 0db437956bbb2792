/** The result for a mutant. */
export type Outcome =
  | { kind: 'killed'; by: string }
  | { kind: 'survived' }
  /** Same bytecode as the original's: no test could distinguish them. */
  | { kind: 'equivalent' }
  /** It does not compile. */
  | { kind: 'stillborn' }

/** A mutant to test: a contract with one of its sources replaced. */
export interface Question {
  path: string
  text: string
  /** The test file most likely to fail, relative to the repository. It runs first. */
  likely: string | undefined
  /** With the production compiler settings and all runs of fuzzed tests, instead of a few. */
  thorough: boolean
}
