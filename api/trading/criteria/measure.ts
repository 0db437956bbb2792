import { Ajv2020 } from 'ajv/dist/2020.js'
import canonicalize from 'canonicalize'
import { countFiles } from './internal/archiveUnits.ts'
import { type Content, contentOf, hasValue, jsonOf } from './internal/content.ts'
import { judgeType, readableText, tabularText } from './internal/contentType.ts'
import { tableRows } from './internal/table.ts'
import type { CheckResult, ContentCheck, NumberedCheck } from './results.ts'

// Ajv compares each two items, which takes hours for an array of the size that a delivery may have.
const UNIQUE_ITEMS = {
  keyword: 'uniqueItems',
  type: 'array' as const,
  schemaType: 'boolean' as const,
  validate: (isUnique: boolean, items: readonly unknown[]) =>
    !isUnique || new Set(items.map((item) => canonicalize(item))).size === items.length,
}

// A line or row of punctuation alone is no unit.
const SAYS_SOMETHING = /[\p{L}\p{N}\p{S}]/u

// This code runs in the isolated child, because one stranger wrote the bytes and another wrote the schema.

/** Returns the results of content checks of bytes. */
export async function measure(
  bytes: Uint8Array,
  checks: readonly NumberedCheck<ContentCheck>[],
): Promise<CheckResult[]> {
  const content = contentOf(bytes)
  const results: CheckResult[] = []
  const schemas = checks.flatMap(({ check }) => (check.kind === 'json_schema' ? [check.schema] : []))
  for (const { number, check } of checks)
    results.push({ number, kind: check.kind, ...(await judge(content, check, schemas)) })
  return results
}

type Schema = Record<string, unknown>

async function judge(
  content: Content,
  check: ContentCheck,
  schemas: readonly Schema[],
): Promise<Omit<CheckResult, 'number' | 'kind'>> {
  if (check.kind === 'media_types') return judgeType(content, check.any_of)
  if (check.kind === 'json_schema') return { result: fits(content, check.schema) ? 'pass' : 'fail' }
  const { expected } = check
  const found = await unitsOf(content, check, schemas)
  return found === undefined
    ? { result: 'unchecked' }
    : { result: found >= expected ? 'pass' : 'fail', found, expected }
}

function fits(content: Content, schema: Schema): boolean {
  const json = jsonOf(content)
  return json !== undefined && validatorOf(schema)(json.value)
}

function validatorOf(schema: Schema | boolean): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
    .removeKeyword('uniqueItems')
    .addKeyword(UNIQUE_ITEMS)
  const validate = ajv.compile(schema)
  return (value) => validate(value)
}

type UnitsCheck = Extract<ContentCheck, { kind: 'units' }>

/** Counts the units that have any content. Undefined if their number is not known. */
async function unitsOf(content: Content, check: UnitsCheck, schemas: readonly Schema[]): Promise<number | undefined> {
  const { of, distinct } = check
  if (of === 'zip_entries') return countFiles(content.bytes, check)
  if (of === 'json_items') {
    const items = jsonItems(content, schemas)
    return distinct ? new Set(items.map((item) => canonicalize(item))).size : items.length
  }
  const units = await { csv_rows: csvRows, lines }[of](content)
  return distinct ? new Set(units).size : units.length
}

/** The items with a value in them, and the empty ones that the schemas accept as items. */
function jsonItems(content: Content, schemas: readonly Schema[]): unknown[] {
  const value = jsonOf(content)?.value
  if (!Array.isArray(value)) return []
  // A schema that says nothing about items accepts no empty ones.
  const validators = schemas.flatMap(({ items }) =>
    typeof items === 'object' || typeof items === 'boolean' ? [validatorOf(items as Schema | boolean)] : [],
  )
  const isAccepted = (item: unknown) => validators.length > 0 && validators.every((fitsItem) => fitsItem(item))
  return value.filter((item) => hasValue(item) || isAccepted(item))
}

/** The rows after the first, which names the columns. */
async function csvRows(content: Content): Promise<string[]> {
  const rows = tableRows((await tabularText(content)) ?? '')
  return rows
    .slice(1)
    .map((row) => row.map((cell) => cell.trim()))
    .filter((row) => row.some((cell) => SAYS_SOMETHING.test(cell)))
    .map((row) => JSON.stringify(row))
}

async function lines(content: Content): Promise<string[]> {
  return ((await readableText(content)) ?? '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => SAYS_SOMETHING.test(line))
}
