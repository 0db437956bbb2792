import { Validator } from '@seriousme/openapi-schema-validator'
import { z } from 'zod'
import { describedIn } from './described.ts'

type Json = Record<string, unknown>

/** An operation, its references resolved. */
type Operation = ReturnType<typeof describedIn>[number]

/** What is wrong with one operation, in a few words each. */
type Rule = (operation: Operation) => string[]

const validator = new Validator()
const ALWAYS = ['400', '500', '503']
const GUARDED = ['401', '403']
const WRITTEN = ['408', '413', '415']
const PROBLEM = 'application/problem+json'
const MEMBERS = ['type', 'title', 'status', 'detail', 'instance']

const RULES: Readonly<Record<string, Rule>> = {
  'has an id, a summary and one group': ({ operationId, summary, tags, known }) => [
    ...(/^[a-z][A-Za-z0-9]+$/.test(operationId) ? [] : ['its operationId is no name']),
    ...(summary === '' || summary.endsWith('.') ? ['its summary is missing, or ends in a full stop'] : []),
    ...(tags.length === 1 && tags.every((tag) => known.tags.includes(tag)) ? [] : ['its tag is not described']),
  ],
  'says who may call it': ({ security, known }) =>
    security === undefined
      ? ['security is missing']
      : security
          .flatMap(Object.keys)
          .flatMap((scheme) => (known.schemes.includes(scheme) ? [] : [`no scheme ${scheme}`])),
  'describes each parameter, and shows one of each in the path': ({ parameters }) =>
    parameters.flatMap(({ name, in: place, description, schema }) => [
      ...(description || schema.description || place === 'query' ? [] : [`${name} is not described`]),
      ...(place === 'path' && schema.example === undefined ? [`${name} has no example`] : []),
    ]),
  'tells every status of the way to it': ({ method, security, responses }) => {
    const expected = [
      ...ALWAYS,
      ...((security ?? []).length > 0 ? GUARDED : []),
      ...(method === 'get' ? [] : WRITTEN),
      ...((security ?? []).length > 0 ? ['429'] : []),
    ]
    const told = Object.keys(responses)
    return [
      ...expected.filter((status) => !told.includes(status)).map((status) => `${status} is missing`),
      // An offer to pay is what was asked for.
      ...(told.some((status) => Number(status) < 400 || status === '402') ? [] : ['it never goes well']),
    ]
  },
  'declares the headers of each answer': ({ responses, known }) =>
    Object.entries(responses).flatMap(([status, { description, headers = {}, content = {} }]) => [
      ...(description === '' ? [`${status} is not described`] : []),
      ...known.headers
        .filter((name) => !(name in headers) && (name !== 'Link' || PROBLEM in content))
        .map((name) => `${status} does not declare ${name}`),
      ...(['429', '503'].includes(status) && !('Retry-After' in headers) ? [`${status} has no Retry-After`] : []),
      ...Object.entries(headers).flatMap(([name, header]) => (header.description ? [] : [`${name} is not described`])),
    ]),
  'refuses with problems, and with nothing else': ({ responses }) =>
    Object.entries(responses)
      .filter(([status]) => Number(status) >= 400 && status !== '402')
      .flatMap(([status, { content = {} }]) => {
        const required = requiredIn(content[PROBLEM]?.schema)
        const missing = MEMBERS.filter((member) => !required.includes(member))
        if (Object.keys(content).join() !== PROBLEM) return [`${status} is no problem`]
        return missing.map((member) => `${status} need not have ${member}`)
      }),
  'has patterns of JSON Schema alone, and shows a value of each parameter that has one': (operation) => [
    ...patternsIn(operation).flatMap((pattern) => (isPattern(pattern) ? [] : [`${pattern} is no pattern`])),
    ...operation.parameters.flatMap(({ name, schema }) => {
      if (schema.pattern === undefined) return []
      const { error } = z.fromJSONSchema(schema).safeParse(schema.example)
      return error ? [`the example of ${name} does not fit: ${JSON.stringify(schema.example)}`] : []
    }),
  ],
  'shows an example of each body, and one that fits': ({ requestBody, responses }) => [
    ...Object.entries(requestBody?.content ?? {}).flatMap(([type, media]) => exampleFaults('the request', type, media)),
    ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.entries(content).flatMap(([type, media]) => exampleFaults(status, type, media)),
    ),
  ],
}

/**
 * What is wrong with a document: with its form by OpenAPI's own schema, then with each operation by our
 * rules.
 */
export async function lint(document: Json): Promise<string[]> {
  const { valid, errors } = await validator.validate(structuredClone(document))
  if (!valid) return [`it is no OpenAPI document: ${JSON.stringify(errors).slice(0, 2_000)}`]
  const operations = describedIn(document)
  const ids = operations.map(({ operationId }) => operationId)
  const doubled = ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} is there twice`)
  const faults = operations.flatMap((operation) =>
    Object.entries(RULES).flatMap(([name, rule]) =>
      rule(operation).map((fault) => `${operation.operationId}: an operation ${name}: ${fault}`),
    ),
  )
  return [...doubled, ...faults, ...nameFaults(document), ...schemaFaults(document, '#')]
}

/** Generators make a type of each component, named in their own case and without what a name cannot have. */
function nameFaults({ components }: Json): string[] {
  const names = Object.entries(components as Record<string, Json>)
    .filter(([section]) => ['schemas', 'parameters', 'responses'].includes(section))
    .flatMap(([section, parts]) => Object.keys(parts).map((name) => `${section}/${name}`))
  const typeOf = (name: string) =>
    name
      .slice(name.indexOf('/'))
      .replaceAll(/[^A-Za-z0-9]/g, '')
      .toLowerCase()
  const clashing = [...Map.groupBy(names, typeOf).values()].filter((alike) => alike.length > 1)
  return clashing.map((alike) => `two components have one name: ${alike.join(' and ')}`)
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  null: (value) => value === null,
}

/**
 * Schemas whose default is not of their own type, or no value of their enum, and enums that are not of texts
 * alone.
 */
function schemaFaults(value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { type, default: byDefault, enum: values } = value as Json
  const types = type === undefined ? undefined : [type].flat()
  const isOwn = types?.some((name) => TYPES[name as string]?.(byDefault)) ?? true
  const isValue = !Array.isArray(values) || values.includes(byDefault)
  return [
    ...(byDefault === undefined || (isOwn && isValue) ? [] : [`${at}: its default is none of its values`]),
    ...(Array.isArray(values) && values.includes(null) ? [`${at}: null stands among its values, not as its type`] : []),
    ...Object.entries(value).flatMap(([name, member]) => schemaFaults(member, `${at}/${name}`)),
  ]
}

function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'pattern' in value && typeof value.pattern === 'string' ? [value.pattern] : []
  return [...own, ...Object.values(value).flatMap(patternsIn)]
}

// As JSON Schema has it (ECMA-262 without flags): what ends in one was written with slashes around it.
function isPattern(text: string): boolean {
  try {
    new RegExp(text)
    return !/\/[dgimsuvy]+$/.test(text)
  } catch {
    return false
  }
}

function requiredIn(schema: Json = {}): string[] {
  const parts = (schema.allOf ?? []) as Json[]
  return [...((schema.required ?? []) as string[]), ...parts.flatMap(requiredIn)]
}

type Media = NonNullable<Operation['requestBody']>['content'][string]

function exampleFaults(where: string, type: string, { schema, example, examples }: Media): string[] {
  if (!type.endsWith('json')) return []
  const shown = examples ? Object.values(examples).map(({ value }) => value) : example === undefined ? [] : [example]
  if (shown.length === 0) return [`${where} has no example`]
  return shown.flatMap((value) => {
    const { error } = z.fromJSONSchema(schema).safeParse(value)
    return error ? [`the example of ${where} does not fit: ${JSON.stringify(error.issues).slice(0, 300)}`] : []
  })
}
