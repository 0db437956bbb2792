/** Whether an order on an ask carries an input. */
export type InputMode = 'none' | 'optional' | 'required'

const MAX_NEEDS = 12
const MAX_NAME_CHARACTERS = 60
const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'yes or no',
  array: 'list',
  object: 'details',
}

/**
 * Returns the members of an input that an ask needs, in a few words for people: "subject (text)", "language
 * (one of 12)". Optional members are marked. Without a schema the input is any text.
 */
export function inputNeeds(input: InputMode, schema: unknown): string[] {
  if (input === 'none') return []
  const { properties, required } = asRecord(schema)
  const members = Object.entries(asRecord(properties))
  if (members.length === 0) return [described('input', schema, input === 'required')]
  const demanded: readonly unknown[] = input === 'required' && Array.isArray(required) ? required : []
  const needs = members.slice(0, MAX_NEEDS).map(([name, rule]) => described(name, rule, demanded.includes(name)))
  return members.length > MAX_NEEDS ? [...needs, `and ${members.length - MAX_NEEDS} more`] : needs
}

function described(name: string, schema: unknown, isRequired: boolean): string {
  const { title } = asRecord(schema)
  const label = (typeof title === 'string' && title !== '' ? title : name).slice(0, MAX_NAME_CHARACTERS)
  return `${label} (${kindOf(schema)}${isRequired ? '' : ', optional'})`
}

function kindOf(schema: unknown): string {
  const { type, enum: values, items } = asRecord(schema)
  if (Array.isArray(values)) return `one of ${values.length}`
  if (type === 'array') return `list of ${KINDS[String(asRecord(items).type)] ?? 'anything'}`
  return typeof type === 'string' ? (KINDS[type] ?? type) : 'text'
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
