import type { z } from 'zod'
import type { Reply } from '../api.ts'
import type { Operation, Schema } from './document.ts'

const CURRENT = '2026-05-17'
const ALWAYS = ['cache-control', 'vary', 'x-content-type-options']
/** What a proxy may compress. Anything else is a stream, or bytes with a hash and ranges. */
const COMPRESSIBLE = /^(application\/(problem\+)?json|text\/html)\b/
const DECLARED = ['RateLimit', 'RateLimit-Policy', 'RateLimit-Limit', 'X-Request-Id']

/** Whether an operation did what was asked. */
export function isTaken({ status }: Pick<Reply, 'status'>): boolean {
  return status < 400 || status === 402
}

/** An answer with its body parsed. */
type Answer = Pick<Reply, 'status' | 'headers'> & { body: unknown }

/** Where an answer differs from the one that the document declares: status, media type, body and headers. */
export function answerFaults(operation: Operation, { status, headers, body }: Answer, version?: string): string[] {
  const answer = operation.answers.get(status)
  if (!answer) return ['its status is not declared']
  const type = headers.get('content-type')
  const schema = type === null ? undefined : (answer.media.get(type) ?? answer.media.get('*/*'))
  if (answer.media.size > 0 && !schema) return [`its media type is not declared, ${type}`]
  return [
    ...bodyFaults(schema, body),
    ...(type === null || COMPRESSIBLE.test(type) || headers.get('cache-control')?.includes('no-transform')
      ? []
      : [`a proxy may change it, for its Cache-Control lacks no-transform: ${type}`]),
    ...DECLARED.filter((name) => !answer.headers.includes(name)).map((name) => `${name} is not declared`),
    ...[...answer.headers, ...ALWAYS].filter((name) => !headers.has(name)).map((name) => `${name} is missing`),
    // An answer that names no version, or an unknown one, cannot be in it.
    ...(status === 400 || headers.get('market-version') === asked(operation, version)
      ? []
      : ['it is in another version']),
  ]
}

// The workspace has one version, whatever the request names.
function asked({ parameters }: Operation, version = CURRENT): string {
  return parameters.some(({ name }) => name === 'Market-Version') ? version : CURRENT
}

/** Which parameters of a request that was accepted do not fit the document. */
export function parameterFaults({ parameters }: Operation, request: Request): string[] {
  const { searchParams } = new URL(request.url)
  return parameters.flatMap(({ name, in: place, required, schema, check }) => {
    if (place === 'path') return []
    const value = place === 'query' ? searchParams.get(name) : request.headers.get(name)
    if (value === null) return required ? [`the parameter ${name} is required, and the request was accepted`] : []
    return bodyFaults(check, typed(schema, value)).map((fault) => `the parameter ${name}: ${fault}`)
  })
}

/** Throws an Error for an answer that differs from the document, or that is a fault of the service. */
export function expectDeclared(
  operation: Operation,
  reply: Reply,
  { version, told }: { version: string | undefined; told: string },
): void {
  const faults = answerFaults(operation, reply, version)
  if (reply.status >= 500) faults.push('it is a fault of the service')
  if (faults.length > 0) throw new Error(`${faults.join('; ')}: ${told}`)
}

function bodyFaults(schema: z.ZodType | undefined, body: unknown): string[] {
  const { error } = schema?.safeParse(body) ?? {}
  return error ? [JSON.stringify(error.issues).slice(0, 2_000)] : []
}

function typed({ type, format }: Schema, value: string): unknown {
  // The check knows neither the small letters nor the leap seconds that RFC 3339 has.
  if (format === 'date-time') return value.toUpperCase().replace(/:60(?=[.Z+-])/, ':59')
  return type === 'integer' || type === 'number' ? Number(value) : value
}
