import type { Place } from '../source/ast.ts'
import { rangeOf } from '../source/ast.ts'
import type { Edit, Operator } from '../source/edit.ts'

const HIDDEN = /\b(private|internal)\b/

/** Makes what only the contract may call or read public. */
export const mutateVisibility: Operator = ({ node }: Place, { textOf }): Edit[] => {
  const isFunction = node.nodeType === 'FunctionDefinition' && node.kind === 'function'
  const isState = node.nodeType === 'VariableDeclaration' && node.nameLocation !== undefined
  if (!isFunction && !isState) return []
  if (node.visibility !== 'private' && node.visibility !== 'internal') return []
  // A function's body may contain the word too: the first one is the function's own.
  const text = textOf(node)
  const found = HIDDEN.exec(text)
  if (!found) return []
  const start = rangeOf(node.src).start + Buffer.byteLength(text.slice(0, found.index))
  return [{ start, end: start + found[0].length, replacement: 'public' }]
}
