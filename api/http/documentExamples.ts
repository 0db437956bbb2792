import { Problem, type ProblemName, problems } from '../errors.ts'
import { exampleOf } from './examples.ts'
import { problemBody } from './problem.ts'
import type { RouteDefinition } from './route.ts'

const REQUEST_ID = '01890000-0000-7000-8000-000000000000'
const PROBLEM = 'application/problem+json'

type Document = Record<string, unknown>
interface Media {
  schema: Document
  example?: unknown
  examples?: Record<string, { $ref: string }>
}
type Content = Record<string, Media>
interface Operation {
  operationId: string
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}

/** The document with an example of every JSON body, and of every problem. Changes the one it is given. */
export function addExamples(document: Document, routes: readonly RouteDefinition[]): Document {
  const operations = Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap((methods) =>
    Object.values(methods),
  )
  for (const { operationId, requestBody, responses } of operations) {
    const route = routes.find((each) => each.operationId === operationId)
    for (const media of jsonOf(requestBody?.content)) {
      media.example = route?.bodyExample ?? exampleOf(media.schema, { document, isWhole: false })
    }
    for (const { content } of Object.values(responses)) {
      for (const media of jsonOf(content)) media.example = exampleOf(media.schema, { document, isWhole: true })
      const refusal = content?.[PROBLEM]
      if (refusal) refusal.examples = Object.fromEntries(namesIn(refusal.schema).map((name) => [name, refer(name)]))
    }
  }
  const components = document.components as Document
  components.examples = Object.fromEntries(
    (Object.keys(problems) as ProblemName[]).map((name) => [componentOf(name), { value: problemExample(name) }]),
  )
  return document
}

function jsonOf(content: Content | undefined): Media[] {
  const media = content?.['application/json']
  return media ? [media] : []
}

function namesIn(schema: Document): ProblemName[] {
  const { type } = schema.properties as { type: { enum: string[] } }
  return type.enum.map((each) => each.replace('market:error:', '') as ProblemName)
}

function refer(name: ProblemName): { $ref: string } {
  return { $ref: `#/components/examples/${componentOf(name)}` }
}

// Names of components have no slash.
function componentOf(name: ProblemName): string {
  return name.replace('/', '.')
}

function problemExample(name: ProblemName) {
  const detail = `${problems[name].title}: what was wrong, and what to do.`
  return problemBody(new Problem(name, { detail }), REQUEST_ID)
}
