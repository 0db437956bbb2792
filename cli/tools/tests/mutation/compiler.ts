import { readFileSync } from 'node:fs'
import solc from 'solc'
import { ROOT } from '../../../machine/paths.ts'
import type { AstNode } from './source/ast.ts'

/** The contract whose source is mutated, with everything it inherits. */
export const CONTRACT = { path: 'contracts/Escrow.sol', name: 'Escrow' } as const

/** The compiler's output for the contract, without anything that names its source. */
export interface Compiled {
  abi: unknown[]
  bytecode: `0x${string}`
  deployedBytecode: `0x${string}`
}

/** The compiler settings: `quick` takes under a second, `production` is what a deployment uses. */
export type Mode = 'quick' | 'production'

interface Output {
  errors?: { severity: string; formattedMessage: string }[]
  sources: Record<string, { ast: AstNode }>
  contracts?: Record<string, Record<string, ContractOutput>>
}

interface ContractOutput {
  abi: unknown[]
  evm: { bytecode: { object: string }; deployedBytecode: { object: string } }
}

// Without the hash of the source at its end, provably equivalent mutants have the same bytecode.
const WITHOUT_HASH = { metadata: { appendCBOR: false } }

/** A source as given to the compiler, and its syntax tree. */
export interface ParsedSource {
  path: string
  text: string
  ast: AstNode
}

/**
 * Parses the contract and all its imports, some of them replaced. Throws an Error with the compiler's output.
 */
export function parse(replaced: ReadonlyMap<string, string> = new Map()): ParsedSource[] {
  const output = run({ outputSelection: { '*': { '': ['ast'] } } }, replaced)
  const failure = failureOf(output)
  if (failure) throw new Error(failure)
  return Object.entries(output.sources).map(([path, { ast }]) => ({
    path,
    ast,
    text: replaced.get(path) ?? read(path),
  }))
}

/** Compiles the contract with some of its sources replaced. Returns undefined if it does not compile. */
export function compile(replaced: ReadonlyMap<string, string>, mode: Mode): Compiled | undefined {
  const selection = {
    [CONTRACT.path]: { [CONTRACT.name]: ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] },
  }
  const output = run({ ...settingsFor(mode), outputSelection: selection }, replaced)
  const contract = output.contracts?.[CONTRACT.path]?.[CONTRACT.name]
  if (failureOf(output) || !contract) return undefined
  return {
    abi: contract.abi,
    bytecode: `0x${contract.evm.bytecode.object}`,
    deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
  }
}

/** The production settings are those of the last build, which used the configuration. */
function settingsFor(mode: Mode): object {
  if (mode === 'quick') return { evmVersion: 'cancun', ...WITHOUT_HASH }
  const json = (path: string) => JSON.parse(readFileSync(`${ROOT}artifacts/${path}.json`, 'utf8'))
  const { buildInfoId } = json(`${CONTRACT.path}/${CONTRACT.name}`)
  const { evmVersion, viaIR, optimizer } = json(`build-info/${buildInfoId}`).input.settings
  return { evmVersion, viaIR, optimizer, ...WITHOUT_HASH }
}

function run(settings: object, replaced: ReadonlyMap<string, string>): Output {
  const contents = (path: string) => replaced.get(path) ?? read(path)
  const sources = { [CONTRACT.path]: { content: contents(CONTRACT.path) } }
  const input = JSON.stringify({ language: 'Solidity', sources, settings })
  return JSON.parse(solc.compile(input, { import: (path: string) => ({ contents: contents(path) }) }))
}

function read(path: string): string {
  return readFileSync(`${ROOT}${path.startsWith('contracts/') ? '' : 'node_modules/'}${path}`, 'utf8')
}

function failureOf({ errors = [] }: Output): string | undefined {
  return errors.find(({ severity }) => severity === 'error')?.formattedMessage
}
