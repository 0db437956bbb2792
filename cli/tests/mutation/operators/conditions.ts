import { typeOf } from '../ast.ts'
import { type Operator, replace } from '../edit.ts'

const COMPARES = new Set(['<', '<=', '>', '>=', '==', '!='])
const JOINS = new Set(['&&', '||'])

/**
 * A condition forced, or the other way round. Of several joined by "and", each is left out in turn (true); of those
 * joined by "or" likewise (false). Comparisons are turned round by their sign.
 */
export const mutateConditions: Operator = ({ node, ancestors: [parent] }, { textOf }) => {
  if (typeOf(node) !== 'bool' || !isRead(node.nodeType) || !parent) return []
  if (parent.nodeType === 'Assignment' && parent.leftHandSide?.id === node.id) return []
  if (parent.nodeType === 'UnaryOperation') return []
  const forced = JOINS.has(parent.operator ?? '') ? [parent.operator === '&&' ? 'true' : 'false'] : ['true', 'false']
  const joined = [...COMPARES, ...JOINS, '!'].includes(node.operator ?? '')
  return [...forced, ...(joined ? [] : [`!${textOf(node)}`])].map((text) => replace(node, text))
}

/** Declarations and literals have a type as well, and are no conditions. */
function isRead(nodeType: string): boolean {
  return ['BinaryOperation', 'UnaryOperation', 'FunctionCall', 'Identifier', 'MemberAccess', 'IndexAccess'].includes(
    nodeType,
  )
}
