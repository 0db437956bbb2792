import { Ajv2020 } from 'ajv/dist/2020.js'
import canonicalize from 'canonicalize'
import { countDistinctFiles, countFiles } from './archiveUnits.ts'
import { type Content, contentOf, jsonOf } from './content.ts'
import { judgeType, readableText, tabularText } from './contentType.ts'
import type { CheckResult, ContentCheck, NumberedCheck } from './results.ts'
import { tableRows } from './table.ts'

// Ajv compares each two items, which takes hours for an array of the size that a delivery may have.
const UNIQUE_ITEMS = {
  keyword: 'uniqueItems',
  type: 'array' as const,
  schemaType: 'boolean' as const,
  validate: (isUnique: boolean, items: readonly unknown[]) =>
    !isUnique || new Set(items.map((item) => canonicalize(item))).size === items.length,
}

// This code runs in the isolated child, because one stranger wrote the bytes and another wrote the schema.

/** Returns the results of content checks of bytes. */
export async function measure(
  bytes: Uint8Array,
  checks: readonly NumberedCheck<ContentCheck>[],
): Promise<CheckResult[]> {
  const content = contentOf(bytes)
  const results: CheckResult[] = []
  for (const { number, check } of checks) results.push({ number, kind: check.kind, ...(await judge(content, check)) })
  return results
}

async function judge(content: Content, check: ContentCheck): Promise<Omit<CheckResult, 'number' | 'kind'>> {
  if (check.kind === 'media_types') return judgeType(content, check.any_of)
  if (check.kind === 'json_schema') return { result: fits(content, check.schema) ? 'pass' : 'fail' }
  const { expected } = check
  const found = await unitsOf(content, check)
  return found === undefined
    ? { result: 'unchecked' }
    : { result: found >= expected ? 'pass' : 'fail', found, expected }
}

function fits(content: Content, schema: Record<string, unknown>): boolean {
  const json = jsonOf(content)
  if (!json) return false
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
    .removeKeyword('uniqueItems')
    .addKeyword(UNIQUE_ITEMS)
  return ajv.validate(schema, json.value)
}

type UnitsCheck = Extract<ContentCheck, { kind: 'units' }>

/** Undefined if their number is not known. */
async function unitsOf(content: Content, { of, distinct, expected }: UnitsCheck): Promise<number | undefined> {
  if (of === 'zip_entries') {
    const count = countFiles(content.bytes)
    return distinct && count >= expected ? countDistinctFiles(content.bytes) : count
  }
  const units = await { json_items: jsonItems, csv_rows: csvRows, lines }[of](content)
  return distinct ? new Set(units).size : units.length
}

function jsonItems(content: Content): string[] {
  const value = jsonOf(content)?.value
  return Array.isArray(value) ? value.map((item) => canonicalize(item) ?? '') : []
}

/** The rows after the first, which names the columns. */
async function csvRows(content: Content): Promise<string[]> {
  const rows = tableRows((await tabularText(content)) ?? '')
  return rows.slice(1).map((row) => JSON.stringify(row))
}

async function lines(content: Content): Promise<string[]> {
  return ((await readableText(content)) ?? '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
