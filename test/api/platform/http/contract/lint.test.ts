import { describe, it } from 'node:test'
import { expect } from 'chai'
import { lint } from '../../../../kit/api/platform/http/contract/lint.ts'

const problem = {
  type: 'object',
  properties: { type: { type: 'string' } },
  required: ['type', 'title', 'status', 'detail', 'instance'],
}
const shown = { type: 'x', title: 'x', status: 400, detail: 'x', instance: 'x' }
const refusal = () => ({
  description: 'Refused.',
  headers: {
    'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
    Link: { $ref: '#/components/headers/Link' },
    'Retry-After': { description: 'When.', schema: { type: 'integer' } },
  },
  content: { 'application/problem+json': { schema: problem, examples: { it: { value: shown } } } },
})
const header = { description: 'It.', schema: { type: 'string' } }

/** The smallest document that all is well with, its one operation changed. */
function documentOf(change: (operation: Record<string, unknown>) => void = () => {}) {
  const statuses = ['400', '401', '403', '408', '413', '415', '429', '500', '503']
  const operation: Record<string, unknown> = {
    operationId: 'doIt',
    summary: 'Do it',
    tags: ['things'],
    security: [{ bearer: [] }],
    parameters: [
      { name: 'urn', in: 'path', required: true, description: 'Which.', schema: { type: 'string', example: 'a' } },
    ],
    requestBody: { content: { 'application/json': { schema: { type: 'string' }, example: 'a' } } },
    responses: {
      204: { description: 'Done.', headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } } },
      ...Object.fromEntries(statuses.map((status) => [status, refusal()])),
    },
  }
  change(operation)
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    tags: [{ name: 'things', description: 'Things.' }],
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      headers: { 'X-Request-Id': header, Link: header },
    },
    paths: { '/things/{urn}': { post: operation } },
  }
}

type Answers = Record<string, ReturnType<typeof refusal> & { content?: unknown; headers: Record<string, unknown> }>
const answersOf = (operation: Record<string, unknown>) => operation.responses as Answers

describe('the lint of the contract', () => {
  it('finds nothing wrong where nothing is', async () => {
    expect(await lint(documentOf())).to.deep.equal([])
  })

  const faults: [string, RegExp, (operation: Record<string, unknown>) => void][] = [
    ['no id', /operationId is no name/, (operation) => delete operation.operationId],
    ['no summary', /summary is missing/, (operation) => delete operation.summary],
    [
      'a tag that is not described',
      /tag is not described/,
      (operation) => Object.assign(operation, { tags: ['other'] }),
    ],
    ['nothing of who may call', /security is missing/, (operation) => delete operation.security],
    [
      'a scheme that is none',
      /no scheme other/,
      (operation) => Object.assign(operation, { security: [{ other: [] }] }),
    ],
    [
      'a parameter without description and example',
      /urn is not described.*urn has no example/s,
      (operation) =>
        Object.assign(operation, {
          parameters: [{ name: 'urn', in: 'path', required: true, schema: { type: 'string' } }],
        }),
    ],
    ['a status untold', /429 is missing/, (operation) => delete answersOf(operation)['429']],
    ['no way to go well', /never goes well/, (operation) => delete answersOf(operation)['204']],
    [
      'an answer without its headers',
      /503 does not declare Link.*503 has no Retry-After/s,
      (operation) => Object.assign(answersOf(operation)['503'] ?? {}, { headers: {} }),
    ],
    [
      'a refusal that is plain JSON',
      /400 is no problem/,
      (operation) =>
        Object.assign(answersOf(operation)['400'] ?? {}, {
          content: { 'application/json': { schema: {}, example: {} } },
        }),
    ],
    [
      'a request without example',
      /the request has no example/,
      (operation) => Object.assign(operation, { requestBody: { content: { 'application/json': { schema: {} } } } }),
    ],
    [
      'an example that does not fit',
      /example of the request does not fit/,
      (operation) =>
        Object.assign(operation, {
          requestBody: { content: { 'application/json': { schema: { type: 'string' }, example: 1 } } },
        }),
    ],
    [
      'a pattern with flags, and a parameter that shows no value of its pattern',
      /is no pattern.*the example of name does not fit/s,
      (operation) =>
        Object.assign(operation, {
          parameters: [{ name: 'name', in: 'query', schema: { type: 'string', pattern: '^[^/]+$/u', example: 'a' } }],
        }),
    ],
    ['a form that OpenAPI has not', /no OpenAPI document/, (operation) => Object.assign(operation, { parameters: {} })],
  ]
  for (const [name, found, change] of faults) {
    it(`finds ${name}`, async () => {
      expect((await lint(documentOf(change))).join('\n')).to.match(found)
    })
  }
})
