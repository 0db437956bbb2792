import { type AstNode, type Place, type Range, rangeOf } from './ast.ts'

/** One change of a source: what stands at a range becomes something else. */
export interface Edit extends Range {
  replacement: string
}

/** What an operator may look at besides the place it changes. */
export interface Surroundings {
  textOf: (node: AstNode) => string
  /** The fields that stand beside this one in its struct and have its type, or an enum's other values. */
  siblingsOf: (declarationId: number) => string[]
  /** Every role that some modifier of the contract asks for. */
  roles: readonly string[]
}

/** A kind of mistake: the ways to make it at a place of the source. */
export type Operator = (place: Place, surroundings: Surroundings) => Edit[]

/** The edit that puts a text in the place of a node. */
export function replace(node: AstNode, replacement: string): Edit {
  return { ...rangeOf(node.src), replacement }
}
