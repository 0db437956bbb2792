import { type Operator, replace } from '../source/edit.ts'

/** Changes a constant: off by one, negated, or spelt differently. */
export const mutateValues: Operator = ({ node }, { textOf }) => {
  if (node.nodeType !== 'Literal') return []
  const text = textOf(node)
  if (node.kind === 'bool') return [replace(node, text === 'true' ? 'false' : 'true')]
  if (node.kind === 'string') return [replace(node, text.replace(/"$/, '~"'))]
  if (node.kind !== 'number') return []
  return [`(${text} + 1)`, ...(text === '0' ? [] : [`(${text} - 1)`])].map((value) => replace(node, value))
}
