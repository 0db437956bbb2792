import type { ParsedSource } from './compiler.ts'
import { OPERATORS } from './operators.ts'
import { type AstNode, everyNode, type Place, rangeOf, typeOf, walk } from './source/ast.ts'
import type { Edit, Surroundings } from './source/edit.ts'

// Interfaces have no code, and third-party code is tested by its authors.
const MUTATED = /^contracts\/[^/]+\.sol$/

/** A source with one mistake. */
export interface Mutant {
  /** Independent of line numbers: "Escrow.release: `a` → `b`", numbered if there are several. */
  key: string
  path: string
  line: number
  /** The operator that made it. */
  operator: string
  /** The function or variable that contains it. */
  owner: string
  /** The whole source, with the mistake. */
  text: string
  /** The lines that changed, before and after. */
  before: string
  after: string
}

/** Returns every mutant of the contracts, in source order. */
export function findMutants(sources: readonly ParsedSource[]): Mutant[] {
  const mutated = sources.filter(({ path }) => MUTATED.test(path))
  const [siblings, roles] = [siblingsIn(sources), rolesIn(mutated)]
  const counts = new Map<string, number>()
  const mutants = mutated.flatMap((source) => mutantsOf(source, { roles, siblingsOf: (id) => siblings.get(id) ?? [] }))
  return mutants.map((mutant) => ({ ...mutant, key: numbered(mutant.key, counts) }))
}

/** Returns the mutants of one source, each text once. */
function mutantsOf(source: ParsedSource, known: Omit<Surroundings, 'textOf'>): Mutant[] {
  const bytes = Buffer.from(source.text)
  const surroundings = { ...known, textOf: ({ src }: AstNode) => slice(bytes, rangeOf(src)) }
  const mutants = [...walk(source.ast)].flatMap((place) =>
    Object.entries(OPERATORS).flatMap(([operator, mutate]) =>
      mutate(place, surroundings).map((edit) => apply(source, bytes, edit, operator, ownerOf(place))),
    ),
  )
  const byText = new Map(mutants.map((mutant) => [mutant.text, mutant]))
  byText.delete(source.text)
  return [...byText.values()]
}

function apply({ path }: ParsedSource, bytes: Buffer, edit: Edit, operator: string, owner: string): Mutant {
  const [head, tail] = [
    slice(bytes, { start: 0, end: edit.start }),
    slice(bytes, { start: edit.end, end: bytes.length }),
  ]
  const original = slice(bytes, edit)
  const lineStart = head.lastIndexOf('\n') + 1
  const lineRest = tail.slice(0, tail.indexOf('\n'))
  return {
    key: `${owner}: \`${flat(original)}\` → \`${flat(edit.replacement)}\``,
    path,
    line: head.split('\n').length,
    operator,
    owner,
    text: head + edit.replacement + tail,
    before: head.slice(lineStart) + original + lineRest,
    after: head.slice(lineStart) + edit.replacement + lineRest,
  }
}

function numbered(key: string, counts: Map<string, number>): string {
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  return count === 1 ? key : `${key} (${count})`
}

function ownerOf({ node, ancestors }: Place): string {
  const chain = [node, ...ancestors]
  const contract = chain.find(({ nodeType }) => nodeType === 'ContractDefinition')?.name ?? ''
  const part = chain[chain.findIndex(({ nodeType }) => nodeType === 'ContractDefinition') - 1]
  return `${contract}.${part?.name || part?.kind || ''}`
}

function siblingsIn(sources: readonly ParsedSource[]): Map<number, string[]> {
  const found = new Map<number, string[]>()
  for (const node of sources.flatMap(({ ast }) => [...everyNode(ast)])) {
    if (node.nodeType !== 'StructDefinition' && node.nodeType !== 'EnumDefinition') continue
    const members = node.members ?? []
    for (const { id, name, ...rest } of members) {
      const alike = members.filter((other) => other.name !== name && typeOf(other) === typeOf({ id, ...rest }))
      found.set(
        id,
        alike.flatMap((other) => other.name ?? []),
      )
    }
  }
  return found
}

function rolesIn(sources: readonly ParsedSource[]): string[] {
  const places = sources.flatMap(({ ast }) => [...walk(ast)])
  const asked = places.filter(
    ({ node, ancestors: [parent] }) => node.nodeType === 'Identifier' && parent?.nodeType === 'ModifierInvocation',
  )
  const roles = asked.filter(({ node }) => typeOf(node) === 'bytes32').flatMap(({ node }) => node.name ?? [])
  return [...new Set(roles)]
}

function slice(bytes: Buffer, { start, end }: { start: number; end: number }): string {
  return bytes.subarray(start, end).toString('utf8')
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
