import { z } from 'zod'
import { resolve } from './document.ts'

const schema = z.record(z.string(), z.unknown())
const content = z.record(
  z.string(),
  z.object({
    schema,
    example: z.unknown().optional(),
    examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
  }),
)
const operation = z.object({
  operationId: z.string().default(''),
  summary: z.string().default(''),
  tags: z.array(z.string()).default([]),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), description: z.string().optional(), schema }))
    .default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(
    z.string(),
    z.object({
      description: z.string(),
      headers: z.record(z.string(), z.object({ description: z.string().optional() })).optional(),
      content: content.optional(),
    }),
  ),
})
const parts = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string().min(1) })).default([]),
  components: z.object({
    securitySchemes: z.record(z.string(), z.unknown()).default({}),
    headers: z.record(z.string(), z.unknown()).default({}),
  }),
  paths: z.record(z.string(), z.record(z.string(), operation)),
})

/**
 * Every operation of a document, its references resolved, and what the document knows of schemes, groups and
 * headers.
 */
export function describedIn(document: Record<string, unknown>) {
  const { tags, components, paths } = parts.parse(resolve(document, document))
  const known = {
    tags: tags.map(({ name }) => name),
    schemes: Object.keys(components.securitySchemes),
    headers: Object.keys(components.headers),
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ ...each, path, method, known })),
  )
}
