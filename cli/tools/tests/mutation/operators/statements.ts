import { rangeOf } from '../source/ast.ts'
import { type Edit, type Operator, replace } from '../source/edit.ts'

const REMOVABLE = new Set(['ExpressionStatement', 'EmitStatement', 'RevertStatement', 'Return', 'ForStatement'])
const NOTHING = '{}'

/**
 * Removes a statement: a call, an effect, an event, a revert, a result, a loop, an initial value; or a
 * function's modifier, or a call's gas limit.
 */
export const removeStatements: Operator = ({ node, ancestors: [parent] }, { textOf }): Edit[] => {
  if (REMOVABLE.has(node.nodeType) && parent?.loopExpression?.id !== node.id) {
    // Includes the semicolon, which is not part of the node.
    const { start, end } = rangeOf(node.src)
    return [{ start, end: node.nodeType === 'ForStatement' ? end : end + 1, replacement: NOTHING }]
  }
  if (node.nodeType === 'VariableDeclarationStatement') {
    const [declaration] = node.declarations ?? []
    const { initialValue } = node
    if (!declaration || node.declarations?.length !== 1 || !initialValue || textOf(initialValue) === '0') return []
    return [{ start: rangeOf(declaration.src).end, end: rangeOf(initialValue.src).end, replacement: '' }]
  }
  if (node.nodeType === 'ModifierInvocation' && node.kind === 'modifierInvocation') return [replace(node, '')]
  if (node.nodeType === 'FunctionCallOptions' && node.expression) return [replace(node, textOf(node.expression))]
  return []
}
