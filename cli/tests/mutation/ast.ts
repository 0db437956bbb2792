/** A node of the syntax tree solc writes. Which fields there are depends on `nodeType`; these are those we look at. */
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

/** A node with those it is in, the nearest first. */
export interface Place {
  node: AstNode
  ancestors: readonly AstNode[]
}

/** Where a node stands in its source, in bytes. */
export interface Range {
  start: number
  end: number
}

// These hold names and shapes, and nothing that runs.
const WITHOUT_CODE = new Set([
  ...['ImportDirective', 'PragmaDirective', 'StructuredDocumentation', 'StructDefinition', 'EventDefinition'],
  ...['ErrorDefinition', 'EnumDefinition', 'UsingForDirective', 'InheritanceSpecifier', 'OverrideSpecifier'],
])

/** Every node in which something runs, in the order of the source. */
export function* walk(node: AstNode, ancestors: readonly AstNode[] = []): Generator<Place> {
  if (WITHOUT_CODE.has(node.nodeType)) return
  yield { node, ancestors }
  for (const child of childrenOf(node).sort((a, b) => rangeOf(a.src).start - rangeOf(b.src).start)) {
    yield* walk(child, [node, ...ancestors])
  }
}

/** All nodes, those without code too. */
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
