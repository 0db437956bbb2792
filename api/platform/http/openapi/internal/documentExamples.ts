import { Problem, type ProblemType } from '../../../../errors.ts'
import type { RouteDefinition } from '../../route/route.ts'
import { problemBody, problemCode, problemType } from '../../serve/problem.ts'
import { exampleOf } from './examples.ts'

const REQUEST_ID = '01890000-0000-7000-8000-000000000000'
const CODED = '.coded'
const PROBLEM = 'application/problem+json'

type Document = Record<string, unknown>
type Types = ReadonlyMap<string, ProblemType>
interface Media {
  schema: Document
  example?: unknown
  examples?: Record<string, { $ref: string }>
}
type Content = Record<string, Media>
interface Parameter {
  name: string
  schema: Document
}
interface Operation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}

/**
 * Adds an example to every JSON body, parameter with a pattern, and problem of the document. Changes the
 * given document and returns it.
 */
export function addExamples(
  document: Document,
  routes: readonly RouteDefinition[],
  problems: readonly ProblemType[],
): Document {
  const types = new Map(problems.map((type) => [type.name, type]))
  const operations = Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap((methods) =>
    Object.values(methods),
  )
  const shown: Record<string, { value: unknown }> = {}
  for (const { operationId, parameters = [], requestBody, responses } of operations) {
    for (const parameter of parameters) showParameter(parameter, document)
    const route = routes.find((each) => each.operationId === operationId)
    for (const media of jsonOf(requestBody?.content)) {
      media.example = route?.bodyExample ?? exampleOf(media.schema, { document, isWhole: false })
    }
    for (const { content } of Object.values(responses)) {
      for (const media of jsonOf(content)) showAnswer(media, document, shown)
      const refusal = content?.[PROBLEM]
      if (refusal)
        refusal.examples = Object.fromEntries(
          namesIn(refusal.schema, types).map((name) => [name, refer(name, types, shown)]),
        )
    }
  }
  const components = document.components as Document
  components.examples = shown
  return document
}

function showParameter({ name, schema }: Parameter, document: Document): void {
  if (schema.pattern !== undefined) schema.example ??= exampleOf(schema, { document, isWhole: false }, name)
}

// Answers whose schema is a component share one example under the component's name.
function showAnswer(media: Media, document: Document, shown: Record<string, { value: unknown }>): void {
  const example = exampleOf(media.schema, { document, isWhole: true })
  const name = typeof media.schema.$ref === 'string' ? media.schema.$ref.split('/').at(-1) : undefined
  if (name === undefined) {
    media.example = example
    return
  }
  shown[name] = { value: example }
  media.examples = { [name]: { $ref: `#/components/examples/${name}` } }
}

function jsonOf(content: Content | undefined): Media[] {
  const media = content?.['application/json']
  return media ? [media] : []
}

// The problems of a response. Problems of the workspace have a code, and so get their own examples.
function namesIn(schema: Document, types: Types): string[] {
  const [, own] = schema.allOf as [Document, { properties: { type: { enum: string[] }; code?: unknown } }]
  const { type, code } = own.properties
  const names = [...types.keys()].filter((name) => type.enum.includes(problemType(name)))
  return code ? names.map((name) => name + CODED) : names
}

function refer(name: string, types: Types, shown: Record<string, { value: unknown }>): { $ref: string } {
  // Component names must not contain a slash.
  const component = name.replace('/', '.')
  shown[component] ??= { value: problemExample(name, types) }
  return { $ref: `#/components/examples/${component}` }
}

function problemExample(example: string, types: Types) {
  const name = example.replace(CODED, '')
  const type = types.get(name)
  if (!type) throw new Error(`No folder declares the problem ${name}.`)
  const body = problemBody(new Problem(type, { detail: `${type.title}: what was wrong, and what to do.` }), REQUEST_ID)
  return example === name ? body : { ...body, code: problemCode(name) }
}
