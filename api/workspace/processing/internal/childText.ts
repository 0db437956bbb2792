import { OfficeParser } from 'officeparser'
import type { officeFormat } from './formats.ts'

const MAX_INFLATED_BYTES = 50_000_000

/**
 * Returns the text of an Office document, a book or HTML. Throws an Error for a file that inflates beyond 50
 * MB.
 */
export async function officeText(bytes: Buffer, format: NonNullable<ReturnType<typeof officeFormat>>): Promise<string> {
  const limits = { maxUncompressedBytes: MAX_INFLATED_BYTES }
  const parsed = await OfficeParser.parseOffice(bytes, { fileType: format, decompressionLimits: limits })
  return (await parsed.to('text')).value
}
