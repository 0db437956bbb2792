import { createHash } from 'node:crypto'
import solc from 'solc'

/** A condition that Solidity jumps on: a place where the code goes one of two ways. */
export interface Condition {
  line: number
  text: string
  /** What its marker reports when it was true, and when it was false: 64 hexadecimal digits each. */
  tags: { true: string; false: string }
}

interface Node {
  nodeType: string
  src: string
  [field: string]: unknown
}

interface Place {
  start: number
  end: number
}

const LIBRARY = '__NomicFoundationCoverage'
const MARKER = '__wentOneWay'
// Appended to what EDR instrumented, which imports the library. EDR collects whatever is sent to it.
const MARKER_SOURCE = `
function ${MARKER}(uint256 tag, bool value) pure returns (bool same) {
  ${LIBRARY}.sendHit(value ? tag + 1 : tag);
  return value;
}
`

/**
 * The conditions of a source, in its order: those of if, ?:, for, while and require, each split at && and ||,
 * and what stands beside an && or || elsewhere. So each is one jump the compiler must make, and both its ways
 * are branches. Throws an Error for a source that does not parse.
 */
export function conditionsOf(name: string, source: string): Condition[] {
  const bytes = Buffer.from(source)
  return places(name, source).map(({ start, end }, index) => ({
    line: bytes.subarray(0, start).toString().split('\n').length,
    text: bytes.subarray(start, end).toString(),
    tags: { true: hex(tagOf(name, index) + 1n), false: hex(tagOf(name, index)) },
  }))
}

/**
 * The source with each condition passed through a marker. Statements may have been instrumented; lines stay.
 */
export function withMarkers(name: string, source: string): string {
  const insertions = places(name, source).flatMap(({ start, end }, index) => [
    { at: start, text: `${MARKER}(${tagOf(name, index)}, `, size: start - end },
    { at: end, text: ')', size: end - start },
  ])
  if (insertions.length === 0) return source
  // Where several meet, the outer one opens first and closes last.
  insertions.sort((one, other) => one.at - other.at || one.size - other.size)
  const bytes = Buffer.from(source)
  let position = 0
  const parts = insertions.map(({ at, text }) => {
    const before = bytes.subarray(position, at).toString()
    position = at
    return before + text
  })
  return parts.join('') + bytes.subarray(position).toString() + MARKER_SOURCE
}

/** Byte offsets of the conditions. */
function places(name: string, source: string): Place[] {
  const found = new Map<string, Place>()
  for (const node of everyNode(parse(name, source))) {
    for (const condition of decidedBy(node).flatMap(split)) {
      const [start = 0, length = 0] = condition.src.split(':').map(Number)
      found.set(condition.src, { start, end: start + length })
    }
  }
  return [...found.values()].sort((one, other) => one.start - other.start || other.end - one.end)
}

function parse(name: string, source: string): Node {
  const settings = { stopAfter: 'parsing', outputSelection: { '*': { '': ['ast'] } } }
  const input = { language: 'Solidity', sources: { [name]: { content: source } }, settings }
  const output = JSON.parse(solc.compile(JSON.stringify(input)))
  const ast = output.sources?.[name]?.ast
  if (!ast) throw new Error(`${name} does not parse: ${JSON.stringify(output.errors)}`)
  return ast
}

function* everyNode(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if ('nodeType' in value) yield value as Node
  for (const child of Object.values(value)) yield* everyNode(child)
}

function decidedBy(node: Node): Node[] {
  if (isShortCircuit(node)) return [node]
  if (node.nodeType === 'FunctionCall' && (node.expression as Node).name === 'require') {
    return (node.arguments as Node[]).slice(0, 1)
  }
  const decides = /^(If|For|While|DoWhile)Statement$|^Conditional$/.test(node.nodeType)
  return decides && node.condition ? [node.condition as Node] : []
}

function split(node: Node): Node[] {
  if (isShortCircuit(node)) return [node.leftExpression, node.rightExpression].flatMap((side) => split(side as Node))
  const inner = node.nodeType === 'TupleExpression' ? (node.components as Node[]) : []
  return inner[0] && inner.length === 1 ? split(inner[0]) : [node]
}

function isShortCircuit(node: Node): boolean {
  return node.nodeType === 'BinaryOperation' && /^(&&|\|\|)$/.test(String(node.operator))
}

// Even, so that the tag after it is the same condition's.
function tagOf(name: string, index: number): bigint {
  return BigInt(`0x${createHash('sha256').update(`${name}:${index}`).digest('hex')}`) & ~1n
}

function hex(tag: bigint): string {
  return tag.toString(16).padStart(64, '0')
}
