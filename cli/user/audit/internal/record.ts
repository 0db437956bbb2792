import { z } from 'zod'
import type { Malformed } from '../../../../audit/published.ts'

const SAID_AT_MOST = 3

/**
 * The valid records of a file, and the errors of the others: an invalid record does not hide the valid ones.
 */
interface ReadRecords<Item> {
  items: Item[]
  malformed: Malformed[]
}

/** Parses records one by one. */
export function recordsOf<Item>(path: string, records: readonly unknown[], schema: z.ZodType<Item>): ReadRecords<Item> {
  const items: Item[] = []
  const malformed: Malformed[] = []
  for (const [index, record] of records.entries()) {
    const read = schema.safeParse(record)
    if (read.success) items.push(read.data)
    else malformed.push({ subject: nameOf(record) ?? `${path} [${index}]`, detail: saidOf(path, read.error) })
  }
  return { items, malformed }
}

const named = z.union([
  z.object({ document: z.object({ receipt_urn: z.string() }) }).transform(({ document }) => document.receipt_urn),
  z
    .object({ payout_urn: z.object({ prefix: z.string(), body: z.string() }) })
    .transform(({ payout_urn: { prefix, body } }) => `market:${prefix}:${body}`),
  z.object({ account: z.string() }).transform(({ account }) => account),
  z
    .object({ document: z.object({ block_number: z.int() }) })
    .transform(({ document }) => `liabilities at block ${document.block_number}`),
])

/** Returns the name of a record in findings, if enough of it can be parsed. */
function nameOf(record: unknown): string | undefined {
  return named.safeParse(record).data
}

function saidOf(path: string, { issues }: z.ZodError): string {
  const said = issues.slice(0, SAID_AT_MOST).map((issue) => `${issue.path.join('.') || 'it'}: ${issue.message}`)
  return `It is not what it should be, in ${path}: ${said.join('; ')}.`
}
