import { type AstNode, type Place, type Range, rangeOf } from './ast.ts'

/** One change of a source: the text of a range is replaced. */
export interface Edit extends Range {
  replacement: string
}

/** What an operator can read besides the node it changes. */
export interface Surroundings {
  textOf: (node: AstNode) => string
  /** Returns the fields of the same struct with the same type, or the enum's other values. */
  siblingsOf: (declarationId: number) => string[]
  /** Every role that some modifier of the contract requires. */
  roles: readonly string[]
}

/** A kind of mistake: returns the ways to make it at a place of the source. */
export type Operator = (place: Place, surroundings: Surroundings) => Edit[]

/** Returns the edit that replaces a node's text. */
export function replace(node: AstNode, replacement: string): Edit {
  return { ...rangeOf(node.src), replacement }
}
