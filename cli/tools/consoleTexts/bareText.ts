import ts from 'typescript'

// Where even a single word is text that people read.
const SHOWN_ATTRIBUTES = new Set(
  'title label aria-label placeholder hint caption submit about empty legend word what kicker alt items heading'.split(
    ' ',
  ),
)
const SHOWN_MEMBERS = new Set('title label hint caption empty word text heading placeholder'.split(' '))
const HIDDEN_ATTRIBUTES =
  /^(className|d|viewBox|key|href|rel|style|accept|points|transform|message|text|tool|aria-keyshortcuts|data-.*)$/
const HIDDEN_MEMBERS = /^(key|name|before)$/
// Calls whose arguments are selectors, keys, names of nodes, patterns and values of the wire.
const TECHNICAL_CALLS =
  /(querySelector(All)?|closest|matches|useRead|call|get|set|has|test|exec|split|join|includes|startsWith|replace(All)?|(add|remove)EventListener|createElement|setAttribute|toggle|write|json|getChild|node|lines)$/
const WORD = /[A-Za-z][a-z]/
// A capitalised word, or several words.
const SENTENCE = /^[^\w/]*[A-Z][a-z]+([^A-Za-z]|$)|[A-Za-z]{2,}[,:.;]? [A-Za-z(“]/
// Keys, addresses, code and styles.
const CODE = /^Ctrl |^\(prefers-|:\/\/|^\S+@\S+\.\w+$|await |^curl |^\.\/market |var\(--|^cm-/
// Names of things, which stay what they are in every language.
const NAMES = new Set(['Market', 'Ether', 'curl', './market'])

/** Whether a node is text that people read, and that no catalogue has. */
export function isBareText(node: ts.Node): boolean {
  const text = textOf(node)
  if (text === undefined || !WORD.test(text) || CODE.test(text) || NAMES.has(text.trim())) return false
  if (ts.isJsxText(node)) return !isVerbatim(node.parent)
  const place = placeOf(node)
  if (isSyntax(node) || isTechnical(place) || isExample(node)) return false
  return isShown(place) || SENTENCE.test(text)
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('0')
}

/**
 * Climbs from a literal to the expression whose value it is, through choices such as `a ? 'x' : 'y'` and `a
 * ?? 'x'`.
 */
function placeOf(node: ts.Node): ts.Node {
  const { parent } = node
  const isBranch = ts.isConditionalExpression(parent) && parent.condition !== node
  const isDefault =
    ts.isBinaryExpression(parent) && parent.right === node && /^(\?\?|\|\||&&)$/.test(parent.operatorToken.getText())
  return isBranch || isDefault || ts.isParenthesizedExpression(parent) ? placeOf(parent) : node
}

/** Returns the attribute that an expression is the value of. */
function attributeOf({ parent }: ts.Node): string | undefined {
  const attribute = ts.isJsxExpression(parent) ? parent.parent : parent
  return ts.isJsxAttribute(attribute) ? attribute.name.getText() : undefined
}

function isShown(place: ts.Node): boolean {
  const { parent } = place
  if (ts.isPropertyAssignment(parent)) return SHOWN_MEMBERS.has(parent.name.getText())
  const attribute = attributeOf(place)
  return attribute === undefined ? ts.isJsxExpression(parent) : SHOWN_ATTRIBUTES.has(attribute)
}

function isTechnical(place: ts.Node): boolean {
  const { parent } = place
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) {
    const name = parent.expression.getText()
    return name === 't' || name === 'msg' || TECHNICAL_CALLS.test(name)
  }
  if (ts.isBinaryExpression(parent)) return /^(===|!==|in)$/.test(parent.operatorToken.getText())
  if (ts.isPropertyAssignment(parent)) return HIDDEN_MEMBERS.test(parent.name.getText())
  return HIDDEN_ATTRIBUTES.test(attributeOf(place) ?? '') || isVerbatim(parent)
}

/** Whether a literal names something: a module, a type, a member, a case. */
function isSyntax(node: ts.Node): boolean {
  const { parent } = node
  return (
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isLiteralTypeNode(parent) ||
    ts.isElementAccessExpression(parent) ||
    ts.isCaseClause(parent)
  )
}

/** Whether it stands in an element for code or keys. */
function isVerbatim(node: ts.Node): boolean {
  const element = ts.isJsxExpression(node) ? node.parent : node
  return ts.isJsxElement(element) && /^(code|kbd)$/.test(element.openingElement.tagName.getText())
}

/** Whether it is part of an example of a call, or names kinds of nodes of a grammar. */
function isExample(node: ts.Node): boolean {
  const owner = ts.findAncestor(node, (one) => ts.isVariableDeclaration(one) || ts.isPropertyAssignment(one))
  if (!owner) return false
  const name = (owner as ts.VariableDeclaration | ts.PropertyAssignment).name.getText()
  return name === 'EXAMPLE' || name === 'defineNodes' || isExample(owner.parent)
}
