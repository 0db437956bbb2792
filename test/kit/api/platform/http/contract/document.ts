import { z } from 'zod'
import type { Api } from '../api.ts'

/** A JSON Schema of the document, its references resolved. */
export type Schema = { readonly [keyword: string]: unknown }

/** One operation as the document tells of it. */
export interface Operation {
  id: string
  method: string
  path: string
  isOpen: boolean
  parameters: readonly { name: string; in: string; required: boolean; schema: Schema; check: z.ZodType }[]
  body: Schema | undefined
  /** The body that the document shows. */
  bodyExample: unknown
  /** By status: a check for each media type, and the headers it always has. */
  answers: ReadonlyMap<number, { media: ReadonlyMap<string, z.ZodType>; headers: readonly string[] }>
}

const content = z.record(
  z.string(),
  z.object({ schema: z.record(z.string(), z.unknown()), example: z.unknown().optional() }),
)
const document = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        security: z.array(z.unknown()),
        parameters: z
          .array(
            z.object({
              name: z.string(),
              in: z.string(),
              required: z.boolean().default(false),
              schema: z.record(z.string(), z.unknown()),
            }),
          )
          .default([]),
        requestBody: z.object({ content }).optional(),
        responses: z.record(
          z.string(),
          z.object({
            content: content.optional(),
            headers: z.record(z.string(), z.object({ required: z.boolean().default(false) })).optional(),
          }),
        ),
      }),
    ),
  ),
})

/** Every operation of the document that an API serves at /openapi.json. */
export async function readOperations(api: Api): Promise<Operation[]> {
  return operationsOf((await api.send('GET', '/openapi.json')).body)
}

/** Every operation of a document. */
export function operationsOf(value: Schema): Operation[] {
  const { paths } = document.parse(resolve(value, value))
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security, parameters, requestBody, responses }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      isOpen: security.length === 0,
      parameters: parameters.map((parameter) => ({ ...parameter, check: z.fromJSONSchema(parameter.schema) })),
      body: requestBody?.content['application/json']?.schema,
      bodyExample: requestBody?.content['application/json']?.example,
      answers: new Map(
        Object.entries(responses).map(([status, answer]) => [
          Number(status),
          {
            media: new Map(
              Object.entries(answer.content ?? {}).map(([type, { schema }]) => [type, z.fromJSONSchema(schema)]),
            ),
            headers: Object.entries(answer.headers ?? {}).flatMap(([name, { required }]) => (required ? name : [])),
          },
        ]),
      ),
    })),
  )
}

/** A part of a document with its references replaced by what they name. */
export function resolve(value: unknown, root: unknown): unknown {
  if (Array.isArray(value)) return value.map((member) => resolve(member, root))
  if (typeof value !== 'object' || value === null) return value
  if ('$ref' in value && typeof value.$ref === 'string') return resolve(lookUp(value.$ref, root), root)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member, root)]))
}

function lookUp(reference: string, root: unknown): unknown {
  const steps = reference.replace('#/', '').split('/')
  return steps.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], root)
}
