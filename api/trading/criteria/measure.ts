import { Ajv2020 } from 'ajv/dist/2020.js'
import canonicalize from 'canonicalize'
import { parse } from 'csv-parse/sync'
import { unzipSync } from 'fflate'
import { fileTypeFromBuffer } from 'file-type'
import type { CheckResult, ContentCheck, NumberedCheck } from './results.ts'

// What follows runs in the sandboxed child: the bytes are a stranger's, and the schema is another's.

/** Returns what checks of their content find in bytes. */
export async function measure(
  bytes: Uint8Array,
  checks: readonly NumberedCheck<ContentCheck>[],
): Promise<CheckResult[]> {
  const content = { bytes, text: textOf(bytes) }
  const results: CheckResult[] = []
  for (const { number, check } of checks) {
    if (check.kind === 'media_types') {
      const { found, isPassed } = await findType(content, check.any_of)
      results.push({ number, kind: check.kind, result: isPassed ? 'pass' : 'fail', found })
    } else if (check.kind === 'json_schema') {
      results.push({ number, kind: check.kind, result: fits(content, check.schema) ? 'pass' : 'fail' })
    } else {
      const { kind, expected } = check
      const found = unitsOf(content, check)
      results.push({ number, kind, result: found >= expected ? 'pass' : 'fail', found, expected })
    }
  }
  return results
}

interface Content {
  bytes: Uint8Array
  /** Undefined for bytes that are no UTF-8 text. */
  text: string | undefined
}

// Controls other than tab, line breaks and form feed are in no text.
const CONTROL = /[^\P{Cc}\t\n\f\r]/u

function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return CONTROL.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

async function findType({ bytes, text }: Content, anyOf: readonly string[]) {
  const signed = (await fileTypeFromBuffer(bytes))?.mime
  const isJson = jsonOf(text) !== undefined
  const plain = text === undefined ? 'application/octet-stream' : 'text/plain'
  const found = signed ?? (isJson ? 'application/json' : plain)
  const isPassed = anyOf.some((type) => {
    if (type === found) return true
    if (type.startsWith('text/')) return text !== undefined
    if (type === 'application/json') return isJson
    return type === 'image/svg+xml' && text !== undefined && /<svg[\s>]/.test(text)
  })
  return { found, isPassed }
}

function jsonOf(text: string | undefined): { value: unknown } | undefined {
  if (text === undefined) return undefined
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function fits({ text }: Content, schema: Record<string, unknown>): boolean {
  const json = jsonOf(text)
  if (!json) return false
  return new Ajv2020({ strict: false, validateFormats: false }).validate(schema, json.value)
}

function unitsOf(content: Content, { of, distinct }: Extract<ContentCheck, { kind: 'units' }>): number {
  const units = { zip_entries: zipEntries, json_items: jsonItems, csv_rows: csvRows, lines }[of](content)
  return distinct ? new Set(units).size : units.length
}

/** The names of the files in an archive, by its directory: nothing is inflated. */
function zipEntries({ bytes }: Content): string[] {
  const names: string[] = []
  const filter = ({ name }: { name: string }) => {
    if (!name.endsWith('/')) names.push(name)
    return false
  }
  try {
    unzipSync(bytes, { filter })
    return names
  } catch {
    return []
  }
}

function jsonItems({ text }: Content): string[] {
  const value = jsonOf(text)?.value
  return Array.isArray(value) ? value.map((item) => canonicalize(item) ?? '') : []
}

/** The rows after the first, which names the columns. */
function csvRows({ text }: Content): string[] {
  if (text === undefined) return []
  try {
    const rows: string[][] = parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true })
    return rows.slice(1).map((row) => JSON.stringify(row))
  } catch {
    return []
  }
}

function lines({ text }: Content): string[] {
  return (text ?? '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
