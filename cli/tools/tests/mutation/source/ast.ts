/**
 * A node of the syntax tree that solc writes. Its fields depend on `nodeType`; these are the ones we read.
 */
export interface AstNode {
  id: number
  nodeType: string
  /** start:length:file, in bytes. */
  src: string
  name?: string
  kind?: string
  operator?: string
  value?: string | AstNode | null
  visibility?: string
  memberName?: string
  nameLocation?: string
  memberLocation?: string
  referencedDeclaration?: number | null
  typeDescriptions?: { typeString?: string | null }
  expression?: AstNode | null
  subExpression?: AstNode
  leftExpression?: AstNode
  rightExpression?: AstNode
  leftHandSide?: AstNode
  rightHandSide?: AstNode
  condition?: AstNode | null
  loopExpression?: AstNode | null
  initialValue?: AstNode | null
  declarations?: (AstNode | null)[]
  arguments?: AstNode[] | null
  components?: (AstNode | null)[]
  members?: AstNode[]
  modifierName?: AstNode
}

/** A node with its ancestors, the nearest first. */
export interface Place {
  node: AstNode
  ancestors: readonly AstNode[]
}

/** The position of a node in its source, in bytes. */
export interface Range {
  start: number
  end: number
}

// Nodes that contain only names and shapes, no executable code.
const WITHOUT_CODE = new Set([
  ...['ImportDirective', 'PragmaDirective', 'StructuredDocumentation', 'StructDefinition', 'EventDefinition'],
  ...['ErrorDefinition', 'EnumDefinition', 'UsingForDirective', 'InheritanceSpecifier', 'OverrideSpecifier'],
])

/** Yields every executable node, in source order. */
export function* walk(node: AstNode, ancestors: readonly AstNode[] = []): Generator<Place> {
  if (WITHOUT_CODE.has(node.nodeType)) return
  yield { node, ancestors }
  for (const child of childrenOf(node).sort((a, b) => rangeOf(a.src).start - rangeOf(b.src).start)) {
    yield* walk(child, [node, ...ancestors])
  }
}

/** Yields all nodes, including those without code. */
export function* everyNode(node: AstNode): Generator<AstNode> {
  yield node
  for (const child of childrenOf(node)) yield* everyNode(child)
}

export function rangeOf(src: string): Range {
  const [start = 0, length = 0] = src.split(':').map(Number)
  return { start, end: start + length }
}

export function typeOf(node: AstNode): string {
  return node.typeDescriptions?.typeString ?? ''
}

function childrenOf(node: AstNode): AstNode[] {
  return Object.values(node).flat().filter(isNode)
}

function isNode(value: unknown): value is AstNode {
  return typeof value === 'object' && value !== null && 'nodeType' in value && 'src' in value
}
