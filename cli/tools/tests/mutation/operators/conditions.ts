import { typeOf } from '../source/ast.ts'
import { type Operator, replace } from '../source/edit.ts'

const COMPARES = new Set(['<', '<=', '>', '>=', '==', '!='])
const JOINS = new Set(['&&', '||'])

/**
 * Forces or negates a condition. Replaces each operand of an "and" by true, and of an "or" by false.
 * Comparisons are changed by their operator instead.
 */
export const mutateConditions: Operator = ({ node, ancestors: [parent] }, { textOf }) => {
  if (typeOf(node) !== 'bool' || !isRead(node.nodeType) || !parent) return []
  if (parent.nodeType === 'Assignment' && parent.leftHandSide?.id === node.id) return []
  if (parent.nodeType === 'UnaryOperation') return []
  const forced = JOINS.has(parent.operator ?? '') ? [parent.operator === '&&' ? 'true' : 'false'] : ['true', 'false']
  const joined = [...COMPARES, ...JOINS, '!'].includes(node.operator ?? '')
  return [...forced, ...(joined ? [] : [`!${textOf(node)}`])].map((text) => replace(node, text))
}

/** Declarations and literals have a type too, but are no conditions. */
function isRead(nodeType: string): boolean {
  return ['BinaryOperation', 'UnaryOperation', 'FunctionCall', 'Identifier', 'MemberAccess', 'IndexAccess'].includes(
    nodeType,
  )
}
