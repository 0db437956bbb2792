import { type AstNode, rangeOf, typeOf } from '../source/ast.ts'
import type { Edit, Operator } from '../source/edit.ts'

const LISTS = new Set(['FunctionCall', 'ModifierInvocation', 'TupleExpression'])

/** Swaps two arguments, or parts of a tuple, of the same type. */
export const swapArguments: Operator = ({ node }, { textOf }) => {
  if (!LISTS.has(node.nodeType)) return []
  const list = [...(node.arguments ?? node.components ?? [])]
  return list.flatMap((first, index) =>
    list.slice(index + 1).flatMap((second) => (first && second ? swap(first, second, textOf) : [])),
  )
}

function swap(first: AstNode, second: AstNode, textOf: (node: AstNode) => string): Edit[] {
  const [one, other] = [textOf(first), textOf(second)]
  if (one === other || kindOf(first) !== kindOf(second)) return []
  const [{ start, end: middleStart }, { start: middleEnd, end }] = [rangeOf(first.src), rangeOf(second.src)]
  const middle = textOf({ ...first, src: `${middleStart}:${middleEnd - middleStart}:0` })
  return [{ start, end, replacement: other + middle + one }]
}

/** Types that convert implicitly into one another count as one. */
function kindOf(node: AstNode): string {
  const type = typeOf(node)
  if (/^(uint|int)/.test(type)) return 'number'
  if (/^(address|contract)/.test(type)) return 'address'
  return type.replace(/ (memory|calldata|storage.*)$/, '')
}
