// File types that a signature at one position cannot identify. `head` is the beginning of a file, one
// character for each byte.

// PDF readers accept a header within this many bytes (PDF 1.7, appendix H, 3.4.1).
const PDF_WITHIN = 1_024
const PDF_HEADER = /%PDF-\d/
const PDF_OBJECT = /[\r\n]\d+ \d+ obj\b/

/**
 * Returns whether a file is a PDF, even with other bytes before its header. Text that only mentions a header
 * has no object in it.
 */
export function isPdf(head: string): boolean {
  const at = head.slice(0, PDF_WITHIN).search(PDF_HEADER)
  if (at < 0) return false
  const before = head.slice(0, at)
  return /^(?:\xef\xbb\xbf)?\s*$/.test(before) || PDF_OBJECT.test(head.slice(at))
}

/**
 * Returns whether a file is an AVIF picture, by any of the brands that it names: the first may be HEIF's
 * general one (ISO 23008-12).
 */
export function isAvif(head: string): boolean {
  if (!head.startsWith('ftyp', 4)) return false
  const size = head.charCodeAt(2) * 256 + head.charCodeAt(3)
  const brands = head.slice(8, 12) + head.slice(16, size)
  return brands.match(/.{4}/gs)?.some((brand) => brand === 'avif' || brand === 'avis') ?? false
}
