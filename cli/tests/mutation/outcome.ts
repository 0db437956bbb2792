/** What became of a mutant. */
export type Outcome =
  | { kind: 'killed'; by: string }
  | { kind: 'survived' }
  /** Same bytecode as the contract's own: no test could tell them apart. */
  | { kind: 'equivalent' }
  /** It does not compile. */
  | { kind: 'stillborn' }

/** What a worker is asked to judge: a contract with one of its sources replaced. */
export interface Question {
  path: string
  text: string
  /** The test file most likely to notice, from the repository's folder. It runs before the others. */
  likely: string | undefined
  /** With the compiler's settings for production and all the runs of fuzzed tests, instead of a few. */
  thorough: boolean
}
