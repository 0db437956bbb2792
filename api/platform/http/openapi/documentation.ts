import { z } from '@hono/zod-openapi'
import type { ProblemType } from '../../../errors.ts'
import { defineRoute, type RouteDefinition } from '../route/route.ts'
import { type ServedRoute, serve } from '../serve/serve.ts'
import type { VersionAdapters } from '../serve/services.ts'
import { openApiDocument } from './openapi.ts'

export const getOpenApi = defineRoute({
  operationId: 'getOpenApi',
  method: 'get',
  path: '/openapi.json',
  summary: 'Read this document',
  access: 'public',
  answers: { 200: { description: 'OpenAPI 3.1.', schema: z.record(z.string(), z.unknown()) } },
})

/** Serves the contract of these routes, and of this one. */
export function documentationHandlers(
  routes: readonly RouteDefinition[],
  problems: readonly ProblemType[],
  versions: VersionAdapters,
): ServedRoute[] {
  let document: Record<string, unknown> | undefined
  return [
    serve(getOpenApi, {
      withoutTransaction: async ({ settings }) => {
        document ??= openApiDocument([...routes, getOpenApi], problems, versions, settings.baseUrl)
        return { status: 200, body: document }
      },
    }),
  ]
}
