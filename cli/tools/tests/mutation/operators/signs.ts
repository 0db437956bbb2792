import { type AstNode, rangeOf, typeOf } from '../source/ast.ts'
import { type Edit, type Operator, replace } from '../source/edit.ts'

const BINARY: Readonly<Record<string, readonly string[]>> = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '==': ['!='],
  '!=': ['=='],
  '&&': ['||'],
  '||': ['&&'],
}
const ASSIGNING: Readonly<Record<string, readonly string[]>> = { '+=': ['-=', '='], '-=': ['+=', '='] }
const UNARY: Readonly<Record<string, string>> = { '++': '--', '--': '++', '!': '' }
// A wrong value may be above or below: an equality check that detects only one of them is a mistake too.
const ONE_SIDED: Readonly<Record<string, readonly string[]>> = { '==': ['<=', '>='], '!=': ['<', '>'] }

/** Replaces an arithmetic, comparison, logical, assignment or unary operator. */
export const mutateSigns: Operator = ({ node }, { textOf }) => {
  const { operator = '' } = node
  if (node.nodeType === 'BinaryOperation') {
    const { leftExpression: left, rightExpression: right } = node
    if (!left || !right) return []
    return [...(BINARY[operator] ?? []), ...oneSided(operator, left, right, textOf)].map((sign) =>
      between(left, right, operator, sign, textOf),
    )
  }
  if (node.nodeType === 'Assignment') {
    const { leftHandSide: left, rightHandSide: right } = node
    if (!left || !right) return []
    return (ASSIGNING[operator] ?? []).map((sign) => between(left, right, operator, sign, textOf))
  }
  const sign = node.nodeType === 'UnaryOperation' ? UNARY[operator] : undefined
  return sign === undefined ? [] : [replace(node, textOf(node).replace(operator, sign))]
}

/** Amounts and counts are never negative, so beside a zero one of the two would change nothing. */
function oneSided(operator: string, left: AstNode, right: AstNode, textOf: (node: AstNode) => string) {
  const areNumbers = [left, right].every((side) => /^(uint|int)/.test(typeOf(side)))
  const besideZero = [left, right].some((side) => textOf(side) === '0')
  return areNumbers && !besideZero ? (ONE_SIDED[operator] ?? []) : []
}

function between(
  left: AstNode,
  right: AstNode,
  operator: string,
  sign: string,
  textOf: (node: AstNode) => string,
): Edit {
  const [leftText, rightText] = [textOf(left), textOf(right)]
  const whole = { start: rangeOf(left.src).start, end: rangeOf(right.src).end }
  const middle = textOf({ ...left, src: `${whole.start}:${whole.end - whole.start}:0` }).slice(
    leftText.length,
    -rightText.length,
  )
  return { ...whole, replacement: leftText + middle.replace(operator, sign) + rightText }
}
