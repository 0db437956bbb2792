import type { z } from 'zod'

const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item', set: 'item', map: 'item' }

const TYPES: Readonly<Record<string, string>> = {
  string: 'must be a text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
  null: 'must be null',
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'must be an e-mail address, such as ada@example.org',
  url: 'must be an address, such as https://example.org/hook',
  uuid: 'must be a UUID',
  datetime: 'must be a time in UTC: 2026-06-01T12:00:00Z',
  date: 'must be a day: 2026-06-01',
}

/**
 * Returns what is wrong with a member in words that go on after its name, such as "must be at most 3 items".
 * It is the error map of every schema that reads what people and agents send: the schema's own words go
 * first, and zod's are for programmers.
 */
export function plainMessage(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is missing'
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? 'is not of the right type'
    case 'too_small':
      return tooSmall(issue.origin, issue.minimum, issue.inclusive !== false)
    case 'too_big':
      return tooBig(issue.origin, issue.maximum, issue.inclusive !== false)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'is not written as it must be'
    case 'invalid_value':
      return oneOf(issue.values)
    case 'invalid_union':
      return issue.options === undefined ? 'has none of the forms that are possible here' : oneOf(issue.options as [])
    case 'invalid_key':
      return 'is no name that is possible here'
    default:
      return 'is invalid'
  }
}

function tooSmall(origin: string, minimum: number | bigint, isInclusive: boolean): string {
  const unit = UNITS[origin]
  if (unit === undefined) return isInclusive ? `must be at least ${minimum}` : `must be more than ${minimum}`
  return Number(minimum) === 1 ? 'must not be empty' : `must have at least ${counted(minimum, unit)}`
}

function tooBig(origin: string, maximum: number | bigint, isInclusive: boolean): string {
  const unit = UNITS[origin]
  if (unit === undefined) return isInclusive ? `must be at most ${maximum}` : `must be less than ${maximum}`
  return Number(maximum) === 0 ? 'must be empty' : `must have at most ${counted(maximum, unit)}`
}

function counted(count: number | bigint, unit: string): string {
  return Number(count) === 1 ? `one ${unit}` : `${count} ${unit}s`
}

function oneOf(values: readonly unknown[]): string {
  const names = values.map(String)
  const last = names.pop() ?? ''
  return names.length === 0 ? `must be ${last}` : `must be ${names.join(', ')} or ${last}`
}
