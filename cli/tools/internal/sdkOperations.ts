import openapiTS, { astToString, type SchemaObject, type TransformNodeOptions } from 'openapi-typescript'
import ts from 'typescript'
import { servedRoutes } from '../../../api/app.ts'
import { byName } from '../../../api/errors.ts'
import { problems } from '../../../api/modules.ts'
import { getOpenApi } from '../../../api/platform/http/openapi/documentation.ts'
import { openApiDocument } from '../../../api/platform/http/openapi/openapi.ts'
import type { RouteDefinition } from '../../../api/platform/http/route/route.ts'
import { CURRENT_VERSION } from '../../../api/platform/http/route/versions.ts'
import { problemType } from '../../../api/platform/http/serve/problem.ts'
import * as sandboxRoutes from '../../../api/sandbox/routes.ts'

const HEAD = '// Generated from the definitions of the routes by `node cli/main.ts generate`.\n'
// The client uses only the current version.
const ONE_VERSION = { olderAnswers: () => [], olderProblemTypes: () => [] }

// Repeats the type that follows it.
const ENUM_TAG = /^ *\/\*\* @enum \{string\} \*\/\n/gm
// The parts that an operation or an answer does not have, and headers, by their place in `operations`.
const ABSENT = [
  ENUM_TAG,
  /^ {12}(?:query|header|path|cookie)\?: never;\n/gm,
  /^ {8}parameters: \{\n {8}\};\n/gm,
  /^ {8}requestBody\?: never;\n/gm,
  /^ {16}headers: \{\n.*\n {16}\};\n/gm,
  /^ {16}content\?: never;\n/gm,
]

interface Operation {
  operationId: string
  parameters?: { in: string }[]
  responses: Record<string, Record<string, unknown>>
  [member: string]: unknown
}

/**
 * Returns the TypeScript of sdk/generated/operations.ts: the path of each operation, and the types of the
 * problems.
 */
export function operationTable(): string {
  const rows = sdkRoutes().map(
    ({ operationId, method, path }) => `  ${operationId}: '${method.toUpperCase()} ${path}',\n`,
  )
  const types = byName(problems).map(({ name }) => `  | '${problemType(name)}'\n`)
  return [
    HEAD,
    '/** The dated version of the wire format that the client speaks (spec 9). */\n',
    `export const VERSION = '${CURRENT_VERSION}'\n\n`,
    '/** Every operation: its method and its path. */\n',
    `export const OPERATIONS = {\n${rows.join('')}} as const\n\n`,
    '/** The types of the problems that the service answers with. */\n',
    `export type ProblemType =\n${types.join('')}`,
  ].join('')
}

/**
 * Returns the TypeScript of sdk/generated/schema.ts: the schemas by name, the input and the answers of each
 * operation.
 */
export async function operationTypes(): Promise<string> {
  const routes = sdkRoutes()
  const document = openApiDocument(routes, problems, ONE_VERSION, 'http://localhost')
  const answers = new Map(routes.map((route) => [route.operationId, new Set(Object.keys(route.answers))]))
  const source = JSON.stringify(trim(document, answers))
  const nodes = await openapiTS(source, { rootTypes: false, transform: hexType })
  const [components = '', operations = ''] = ['components', 'operations'].map((name) =>
    astToString(nodes.filter((node) => ts.isInterfaceDeclaration(node) && node.name.text === name)),
  )
  return HEAD + components.replace(ENUM_TAG, '') + ABSENT.reduce((text, part) => text.replace(part, ''), operations)
}

/** Types the hex of answers as viem does. Hex that a program sends stays a string: the service checks it. */
function hexType(schema: SchemaObject, { path }: TransformNodeOptions): ts.TypeNode | undefined {
  const { pattern, type } = schema as { pattern?: string; type?: string | string[] }
  if (!pattern?.startsWith('^0x') || path?.includes('requestBody')) return undefined
  const { factory, SyntaxKind } = ts
  const text = factory.createKeywordTypeNode(SyntaxKind.StringKeyword)
  const digits = factory.createTemplateLiteralTypeSpan(text, factory.createTemplateTail(''))
  const hex = factory.createTemplateLiteralType(factory.createTemplateHead('0x'), [digits])
  return type?.includes('null')
    ? factory.createUnionTypeNode([hex, factory.createLiteralTypeNode(factory.createNull())])
    : hex
}

function sdkRoutes(): RouteDefinition[] {
  return [...servedRoutes, ...Object.values(sandboxRoutes), getOpenApi]
}

/** Reduces a document to the parts that a client's types need: no headers, problems or examples. */
function trim(document: Record<string, unknown>, answers: ReadonlyMap<string, ReadonlySet<string>>) {
  const { components, paths, openapi, info } = document as {
    components: { schemas?: object; parameters?: Record<string, { in: string }>; responses?: object }
    paths: Record<string, Record<string, Operation>>
    openapi: string
    info: object
  }
  const shared = components.parameters ?? {}
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    operation.parameters =
      operation.parameters?.map((part) => resolve(part, shared)).filter((part) => part.in !== 'header') ?? []
    const own = answers.get(operation.operationId)
    const kept = Object.entries(operation.responses).filter(([status]) => own?.has(status))
    operation.responses = Object.fromEntries(kept.map(([status, { headers: _headers, ...answer }]) => [status, answer]))
    delete operation.security
    delete operation.tags
  }
  return withoutExamples({ openapi, info, paths, components: { schemas: components.schemas ?? {} } })
}

function resolve<Part extends object>(part: Part, shared: Record<string, Part>): Part {
  const reference = '$ref' in part ? String(part.$ref).split('/').at(-1) : undefined
  return (reference === undefined ? undefined : shared[reference]) ?? part
}

function withoutExamples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExamples)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => name !== 'example' && name !== 'examples')
  return Object.fromEntries(members.map(([name, member]) => [name, withoutExamples(member)]))
}
