import { type AstNode, rangeOf } from '../source/ast.ts'
import { type Edit, type Operator, replace } from '../source/edit.ts'

/** Replaces a struct field, enum value, role, caller or kind of call by another. */
export const mutateMembers: Operator = (place, { textOf, siblingsOf, roles }) => {
  const { node, ancestors } = place
  if (node.nodeType === 'Identifier') {
    const isRole = ancestors[0]?.nodeType === 'ModifierInvocation' && roles.includes(node.name ?? '')
    return isRole ? roles.filter((role) => role !== node.name).map((role) => replace(node, role)) : []
  }
  if (node.nodeType !== 'MemberAccess') return []
  const text = textOf(node)
  if (text === 'msg.sender') return [replace(node, 'tx.origin')]
  if (node.memberName === 'delegatecall') return [renamed(node, 'call')]
  return siblingsOf(node.referencedDeclaration ?? -1).map((name) => renamed(node, name))
}

function renamed(node: AstNode, name: string): Edit {
  return { ...rangeOf(node.memberLocation ?? node.src), replacement: name }
}
