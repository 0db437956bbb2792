import ts from 'typescript'
import { namesIn, parse } from '../../../console/texts/message.ts'

// Tags that `Trans` knows itself.
const ELEMENTS = ['strong', 'code', 'kbd']

/** A use of a message: a call of `t` or `msg`, or a `Trans`. */
export interface Use {
  /** Undefined where it is the value of a constant, which `msg` marked. */
  message: string | undefined
  /** The names that it is given values for; undefined where they cannot be read. */
  given: readonly string[] | undefined
  isComposed: boolean
  isMarked: boolean
  /** Whether it runs when its module is loaded, before the language is. */
  isEarly: boolean
}

/** Returns the use of a message that a node is, if it is one. */
export function useOf(node: ts.Node): Use | undefined {
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && ['t', 'msg'].includes(node.expression.text)) {
    const [message, values] = node.arguments
    const isMarked = node.expression.text === 'msg'
    const isEarly = !isMarked && ts.findAncestor(node, ts.isFunctionLike) === undefined
    return { ...messageOf(message), given: valueNames(values), isMarked, isEarly }
  }
  if (!ts.isJsxSelfClosingElement(node) || node.tagName.getText() !== 'Trans') return undefined
  const attributes = node.attributes.properties.filter(ts.isJsxAttribute)
  const initializer = attributes.find(({ name }) => name.getText() === 'message')?.initializer
  const given = attributes.map(({ name }) => name.getText()).filter((name) => name !== 'message')
  const message = initializer && ts.isJsxExpression(initializer) ? initializer.expression : initializer
  return { ...messageOf(message), given, isMarked: false, isEarly: false }
}

function messageOf(node: ts.Expression | undefined): Pick<Use, 'message' | 'isComposed'> {
  if (node && ts.isStringLiteralLike(node)) return { message: node.text, isComposed: false }
  const isSum = node && ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken
  return { message: undefined, isComposed: !node || ts.isTemplateExpression(node) || Boolean(isSum) }
}

function valueNames(values: ts.Expression | undefined): string[] | undefined {
  if (!values) return []
  if (!ts.isObjectLiteralExpression(values)) return undefined
  return values.properties.map(({ name }) => name?.getText() ?? '')
}

/** Returns what is wrong with a use of a message, a sentence each. */
export function faultsOf({ message, given, isComposed, isMarked, isEarly }: Use): string[] {
  if (isEarly)
    return ['a constant is made before the language is known: mark its message with msg(), and show it by t()']
  if (isComposed) return ['a message is one literal, with names for its values']
  if (message === undefined) return []
  const needed = namesOf(message)
  if (typeof needed === 'string') return [needed]
  if (isMarked) return []
  return [
    ...needed.filter((name) => given && !given.includes(name)).map((name) => `“${message}” is given no ${name}`),
    ...(given ?? []).filter((name) => !needed.includes(name)).map((name) => `“${message}” has no place for ${name}`),
  ]
}

/** Returns the names that a message needs values for, or why it cannot be read. */
export function namesOf(message: string): string[] | string {
  try {
    return namesIn(parse(message)).filter((name) => !ELEMENTS.includes(name))
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
