import type { Operation, Schema } from './document.ts'

/** A member of a query or a body that names an object by its id. */
export interface IdMember {
  place: 'query' | 'body'
  name: string
  /**
   * The kinds of objects that it may name: prefixes of URNs, or for the short ids of the workspace the
   * member's name.
   */
  kinds: readonly string[]
  isList: boolean
}

const SHORT_ID = 'k3v09x2m7q'

/** Returns the members of an operation that name objects, as its description shows them. */
export function idMembersOf({ parameters, body }: Operation): IdMember[] {
  const inQuery = parameters.flatMap(({ name, in: place, schema }) =>
    place === 'query' ? memberOf('query', name, schema) : [],
  )
  const shapes = [body, ...alternativesOf(body)].flatMap((shape) =>
    Object.entries((shape?.properties ?? {}) as Record<string, Schema>),
  )
  const inBody = new Map(shapes).entries().flatMap(([name, schema]) => memberOf('body', name, schema))
  return [...inQuery, ...inBody]
}

function memberOf(place: IdMember['place'], name: string, schema: Schema): IdMember[] {
  const items = schema.items as Schema | undefined
  const shown = [schema, items, ...alternativesOf(schema), ...alternativesOf(items)].flatMap((one) =>
    one ? [one] : [],
  )
  const prefixes = shown.flatMap(({ example }) => /^market:(\w+):/.exec(String(example))?.[1] ?? [])
  const isShort = shown.some(({ example }) => String(example) === SHORT_ID)
  const isId = shown.some(({ format }) => format === 'uuid')
  const kinds = prefixes.length > 0 ? [...new Set(prefixes)] : isShort || isId ? [`the ${name}`] : []
  return kinds.length > 0 ? [{ place, name, kinds, isList: items !== undefined }] : []
}

function alternativesOf(schema: Schema | undefined): Schema[] {
  return [schema?.anyOf, schema?.oneOf].flatMap((alternatives) =>
    Array.isArray(alternatives) ? (alternatives as Schema[]) : [],
  )
}
