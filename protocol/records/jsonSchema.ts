import { canonicalJson } from '../encoding/canonical.ts'

/** A member of a value that a JSON Schema refuses. */
export interface Mismatch {
  /** The JSON Pointer (RFC 6901) of the member in the value; empty for the value itself. */
  pointer: string
  /** What the member must be, as a phrase after its name: `must be one of "de", "en"`. */
  detail: string
}

/** Thrown for a value that takes too many steps to check by its schema. */
export class SchemaTooCostly extends Error {}

const MAX_MISMATCHES = 20
// A schema of 16 kB and a value of 64 kB could otherwise take minutes. This many take a tenth of a second.
const MAX_STEPS = 300_000
const CHARACTERS_PER_STEP = 16
const MAX_SHOWN_CHARACTERS = 200

/**
 * Returns the members of a JSON value that a JSON Schema (2020-12) refuses, at most twenty; none for a value
 * that satisfies it. Knows the keywords that asks and criteria may use, and ignores others. Compiles nothing,
 * so that pages with a strict content security policy can check too. Throws SchemaTooCostly.
 */
export function mismatchesOf(schema: unknown, value: unknown): Mismatch[] {
  const found: Mismatch[] = []
  new Checker(found).check(schema, value, '')
  return found
}

type Rules = Record<string, unknown>
type Check = (checker: Checker, rule: unknown, place: Place) => void

/** A value, the schema that it is checked by, and where it is. */
interface Place {
  rules: Rules
  value: unknown
  pointer: string
}

class Checker {
  readonly found: Mismatch[]
  readonly #shared: { steps: number; texts: Map<object, Set<string>> }

  constructor(found: Mismatch[], shared = { steps: MAX_STEPS, texts: new Map<object, Set<string>>() }) {
    this.found = found
    this.#shared = shared
  }

  /** Adds what the schema refuses of the value. */
  check(schema: unknown, value: unknown, pointer: string): void {
    this.take(1)
    if (schema === false) this.refuse(pointer, 'is not allowed')
    if (!isObject(schema)) return
    for (const keyword of Object.keys(schema)) {
      this.take(1)
      if (this.found.length >= MAX_MISMATCHES) return
      if (Object.hasOwn(CHECKS, keyword)) CHECKS[keyword]?.(this, schema[keyword], { rules: schema, value, pointer })
    }
  }

  /** Returns whether the schema accepts the value. */
  accepts(schema: unknown, value: unknown): boolean {
    const own = new Checker([], this.#shared)
    own.check(schema, value, '')
    return own.found.length === 0
  }

  refuse(pointer: string, detail: string): void {
    if (this.found.length < MAX_MISMATCHES) this.found.push({ pointer, detail })
  }

  take(steps: number): void {
    this.#shared.steps -= steps
    if (this.#shared.steps < 0) throw new SchemaTooCostly('The value takes too many steps to check by its schema.')
  }

  /** Returns a value as text that equal values share. */
  text(value: unknown): string {
    const text = canonicalJson([value])
    this.take(1 + text.length / CHARACTERS_PER_STEP)
    return text
  }

  /** Returns whether a list of the schema has a value equal to this one. */
  isListed(list: readonly unknown[], value: unknown): boolean {
    const texts = this.#shared.texts.get(list) ?? new Set(list.map((one) => this.text(one)))
    this.#shared.texts.set(list, texts)
    return texts.has(this.text(value))
  }
}

const AT_LEAST: Bound = { words: 'must be at least', isWithin: (size, limit) => size >= limit }
const AT_MOST: Bound = { words: 'must be at most', isWithin: (size, limit) => size <= limit }
const HAVE_AT_LEAST: Bound = { ...AT_LEAST, words: 'must have at least' }
const HAVE_AT_MOST: Bound = { ...AT_MOST, words: 'must have at most' }

const CHECKS: Readonly<Record<string, Check>> = {
  type: (checker, rule, { value, pointer }) => {
    const types = Array.isArray(rule) ? rule : [rule]
    if (!types.some((type) => isOfType(type, value))) checker.refuse(pointer, `must be ${namesOf(types).join(' or ')}`)
  },
  enum: (checker, rule, { value, pointer }) => {
    if (Array.isArray(rule) && !checker.isListed(rule, value)) checker.refuse(pointer, `must be one of ${shown(rule)}`)
  },
  const: (checker, rule, { value, pointer }) => {
    if (checker.text(rule) !== checker.text(value)) checker.refuse(pointer, `must be ${shown([rule])}`)
  },
  minimum: bounded(numberOf, AT_LEAST),
  maximum: bounded(numberOf, AT_MOST),
  exclusiveMinimum: bounded(numberOf, { words: 'must be more than', isWithin: (size, limit) => size > limit }),
  exclusiveMaximum: bounded(numberOf, { words: 'must be less than', isWithin: (size, limit) => size < limit }),
  multipleOf: bounded(numberOf, { words: 'must be a multiple of', isWithin: (size, of) => isWhole(size / of) }),
  minLength: bounded(charactersOf, HAVE_AT_LEAST, 'character'),
  maxLength: bounded(charactersOf, HAVE_AT_MOST, 'character'),
  minItems: bounded(itemsOf, HAVE_AT_LEAST, 'item'),
  maxItems: bounded(itemsOf, HAVE_AT_MOST, 'item'),
  minProperties: bounded(membersOf, HAVE_AT_LEAST, 'member'),
  maxProperties: bounded(membersOf, HAVE_AT_MOST, 'member'),
  uniqueItems: (checker, rule, { value, pointer }) => {
    if (rule !== true || !Array.isArray(value)) return
    const isUnique = new Set(value.map((item) => checker.text(item))).size === value.length
    if (!isUnique) checker.refuse(pointer, 'must have no item twice')
  },
  ...ofItems(),
  ...ofMembers(),
  ...ofSchemas(),
}

interface Bound {
  words: string
  isWithin: (size: number, limit: number) => boolean
}

/** Returns the check that compares the size of a value with its rule. A value of another type has no size. */
function bounded(
  sizeOf: (value: unknown, checker: Checker) => number | undefined,
  { words, isWithin }: Bound,
  noun?: string,
): Check {
  return (checker, rule, { value, pointer }) => {
    const size = sizeOf(value, checker)
    if (size === undefined || isWithin(size, Number(rule))) return
    const unit = noun === undefined ? '' : ` ${rule === 1 ? noun : `${noun}s`}`
    checker.refuse(pointer, `${words} ${rule}${unit}`)
  }
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function charactersOf(value: unknown, checker: Checker): number | undefined {
  if (typeof value !== 'string') return undefined
  checker.take(value.length / CHARACTERS_PER_STEP)
  return [...value].length
}

function itemsOf(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined
}

function membersOf(value: unknown): number | undefined {
  return isObject(value) ? Object.keys(value).length : undefined
}

// 0.3 is three times 0.1, although their quotient as doubles is not 3.
function isWhole(quotient: number): boolean {
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient))
}

function ofItems(): Record<string, Check> {
  return {
    prefixItems: (checker, rule, { value, pointer }) => {
      if (!Array.isArray(rule) || !Array.isArray(value)) return
      for (const [index, schema] of rule.slice(0, value.length).entries())
        checker.check(schema, value[index], `${pointer}/${index}`)
    },
    items: (checker, rule, { rules, value, pointer }) => {
      if (!Array.isArray(value)) return
      const first = Array.isArray(rules.prefixItems) ? rules.prefixItems.length : 0
      for (let index = first; index < value.length; index++) checker.check(rule, value[index], `${pointer}/${index}`)
    },
    contains: (checker, rule, { rules, value, pointer }) => {
      if (!Array.isArray(value)) return
      const [least, most] = [Number(rules.minContains ?? 1), Number(rules.maxContains ?? Number.POSITIVE_INFINITY)]
      const count = value.filter((item) => checker.accepts(rule, item)).length
      if (count < least) checker.refuse(pointer, `must have at least ${least} of the items that its schema describes`)
      if (count > most) checker.refuse(pointer, `must have at most ${most} of the items that its schema describes`)
    },
  }
}

function ofMembers(): Record<string, Check> {
  const requireMembers: Check = (checker, names, { value, pointer }) => {
    if (!Array.isArray(names) || !isObject(value)) return
    for (const name of names) {
      checker.take(1)
      if (!Object.hasOwn(value, name)) checker.refuse(pointerTo(pointer, String(name)), 'is required')
    }
  }
  return {
    required: requireMembers,
    dependentRequired: (checker, rule, place) => {
      if (!isObject(rule) || !isObject(place.value)) return
      for (const [name, names] of Object.entries(rule)) {
        checker.take(1)
        if (Object.hasOwn(place.value, name)) requireMembers(checker, names, place)
      }
    },
    properties: (checker, rule, { value, pointer }) => {
      if (!isObject(rule) || !isObject(value)) return
      for (const [name, schema] of Object.entries(rule)) {
        checker.take(1)
        if (Object.hasOwn(value, name)) checker.check(schema, value[name], pointerTo(pointer, name))
      }
    },
    additionalProperties: (checker, rule, { rules, value, pointer }) => {
      if (!isObject(value)) return
      const known = isObject(rules.properties) ? rules.properties : {}
      for (const [name, member] of Object.entries(value)) {
        checker.take(1)
        if (!Object.hasOwn(known, name)) checker.check(rule, member, pointerTo(pointer, name))
      }
    },
  }
}

function ofSchemas(): Record<string, Check> {
  return {
    allOf: (checker, rule, { value, pointer }) => {
      if (Array.isArray(rule)) for (const schema of rule) checker.check(schema, value, pointer)
    },
    anyOf: (checker, rule, { value, pointer }) => {
      if (Array.isArray(rule) && !rule.some((schema) => checker.accepts(schema, value)))
        checker.refuse(pointer, 'must be one of the forms that its schema describes')
    },
    oneOf: (checker, rule, { value, pointer }) => {
      if (Array.isArray(rule) && rule.filter((schema) => checker.accepts(schema, value)).length !== 1)
        checker.refuse(pointer, 'must be exactly one of the forms that its schema describes')
    },
    not: (checker, rule, { value, pointer }) => {
      if (checker.accepts(rule, value)) checker.refuse(pointer, 'has a form that its schema excludes')
    },
    if: (checker, rule, { rules, value, pointer }) => {
      const then = checker.accepts(rule, value) ? rules.then : rules.else
      if (then !== undefined) checker.check(then, value, pointer)
    },
  }
}

function isObject(value: unknown): value is Rules {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  return type === 'object' ? isObject(value) : typeof value === type
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

function namesOf(types: readonly unknown[]): string[] {
  return types.map((type) => NAMES[String(type)] ?? String(type))
}

function shown(values: readonly unknown[]): string {
  const text = values.map((value) => JSON.stringify(value)).join(', ')
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text
}

function pointerTo(pointer: string, name: string): string {
  return `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
