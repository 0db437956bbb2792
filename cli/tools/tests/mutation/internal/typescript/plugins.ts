import { relative } from 'node:path'
import { type Checker, type CheckResult, CheckStatus } from '@stryker-mutator/api/check'
import type { Mutant, MutantResult, StrykerOptions } from '@stryker-mutator/api/core'
import type { Ignorer } from '@stryker-mutator/api/ignore'
import { commonTokens, declareClassPlugin, declareValuePlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin'
import type { Reporter } from '@stryker-mutator/api/report'
import { ROOT } from '../../../../../machine/paths.ts'

/** Names of the plugins below, as Stryker's options want them. */
export const SAMPLE = 'sample'
export const WORDS = 'words'
export const SURVIVORS = 'survivors'
/** The reason of a mutant that is not in the sample. */
export const LEFT_OUT = 'not in the sample'

/**
 * Lets every n-th mutant pass. Stryker counts the others among those that do not compile, so they have no
 * part in the score.
 */
class Sample implements Checker {
  static inject = tokens(commonTokens.options)
  readonly #every: number

  constructor(options: StrykerOptions) {
    this.#every = Number(options.sampleEvery)
  }

  async init(): Promise<void> {}

  async check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
    const passed: CheckResult = { status: CheckStatus.Passed }
    const leftOut: CheckResult = { status: CheckStatus.CompileError, reason: LEFT_OUT }
    return Object.fromEntries(mutants.map(({ id }) => [id, Number(id) % this.#every === 0 ? passed : leftOut] as const))
  }

  async group(mutants: Mutant[]): Promise<string[][]> {
    return [mutants.map(({ id }) => id)]
  }
}

const UNNOTICED = new Set(['Survived', 'NoCoverage', 'Timeout'])

/**
 * Names each survivor when it is found: a run takes long, and may be stopped before its end. Tells a parent
 * what became of each.
 */
class Survivors implements Reporter {
  onMutantTested({ status, fileName, location, mutatorName, replacement }: Readonly<MutantResult>): void {
    process.send?.(status)
    if (!UNNOTICED.has(status)) return
    const { line, column } = location.start
    console.log(`${status}: ${relative(ROOT, fileName)}:${line}:${column} (${mutatorName}) → ${replacement ?? ''}`)
  }
}

/** The parts of a syntax tree's node that are read here. */
interface Node {
  type: string
  callee?: { type: string; name?: string; property?: { name?: string } }
  arguments?: unknown[]
}

const TEXTS = new Set(['StringLiteral', 'TemplateLiteral'])
const ERROR = /(Error|Broken)$/
// Its first argument is the fault, which callers distinguish.
const REFUSAL = /Refused$/
const LOGGING = new Set(['debug', 'info', 'warn', 'error', 'fatal'])

/** Leaves out the words of errors and log lines: no test should hold each of them. */
const words: Ignorer = {
  shouldIgnore(path) {
    const { node, parent } = path as { node: Node; parent?: Node }
    const { callee } = node
    const isOfRefusal = REFUSAL.test(parent?.callee?.name ?? '') && parent?.arguments?.[0] !== node
    const isText = TEXTS.has(node.type) && (parent?.callee?.type === 'Super' || isOfRefusal)
    if (isText || (node.type === 'NewExpression' && ERROR.test(callee?.name ?? ''))) return 'the words of an error'
    const isLogging = node.type === 'CallExpression' && LOGGING.has(callee?.property?.name ?? '')
    return isLogging ? 'the words of a log line' : undefined
  },
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.Checker, SAMPLE, Sample),
  declareValuePlugin(PluginKind.Ignore, WORDS, words),
  declareClassPlugin(PluginKind.Reporter, SURVIVORS, Survivors),
]
/** Declares our own option, so that Stryker does not warn of it. */
export const strykerValidationSchema = { type: 'object', properties: { sampleEvery: { type: 'number', default: 1 } } }
