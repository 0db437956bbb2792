import type { Naming } from './things.ts'

/** The place of an id in a call: a part of the naming, then the members on the way to it. */
export type Slot = readonly string[]

const PARTS = ['urn', 'id', 'human', 'path', 'query', 'headers', 'raw', 'body']
/** The parameter of a path that each of these parts fills. */
const PARAMETERS: Readonly<Record<string, string>> = { urn: '{urn}', id: '{id}', human: '{human_urn}' }
/** Parts that are no JSON, and have their ids within a text. */
const TEXTS = ['query', 'headers', 'raw']
const ID = /^(?:(?:market:\w+:)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-z]{10})$/

/**
 * Returns the places of ids in a call of an operation. The second call names the same kinds of objects in
 * another world, so the places are those at which the calls differ.
 */
export function slotsOf(path: string, own: Naming, foreign: Naming): Slot[] {
  return differences(own, foreign, []).filter(([part = '']) => path.includes(PARAMETERS[part] ?? ''))
}

/** Returns the first call with the id at one place taken from the second. */
export function crossed(own: Naming, foreign: Naming, slot: Slot): Naming {
  return withValue(own, slot, valueAt(foreign, slot)) as Naming
}

function withValue(value: unknown, [member, ...rest]: Slot, instead: unknown): unknown {
  if (member === undefined) return instead
  if (Array.isArray(value)) return value.with(Number(member), withValue(value[Number(member)], rest, instead))
  const object = value as Record<string, unknown>
  return { ...object, [member]: withValue(object[member], rest, instead) }
}

function valueAt(value: unknown, slot: Slot): unknown {
  return slot.reduce<unknown>((part, member) => (part as Record<string, unknown>)[member], value)
}

function differences(own: unknown, foreign: unknown, slot: Slot): Slot[] {
  if (typeof own === 'string') return own !== foreign && namesObject(own, slot) ? [slot] : []
  if (typeof own !== 'object' || own === null || Buffer.isBuffer(own)) return []
  const members = Object.entries(own).filter(([name]) => slot.length > 0 || PARTS.includes(name))
  return members.flatMap(([name, member]) =>
    differences(member, (foreign as Record<string, unknown>)[name], [...slot, name]),
  )
}

function namesObject(text: string, slot: Slot): boolean {
  return ID.test(text) || TEXTS.includes(slot[0] ?? '') || slot.at(-1) === 'org'
}
