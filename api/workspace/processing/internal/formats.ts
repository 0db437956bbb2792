/** The format that text is extracted from: its media type, and its name in officeparser. */
const OFFICE_FORMATS = {
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/epub+zip': 'epub',
  'application/rtf': 'rtf',
  'text/html': 'html',
} as const

const HEAD_BYTES = 16_384
// After comments, what only a whole document begins with.
const DOCUMENT =
  /^\s*(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype\s+html|html|head|body|title|meta|link|base|script|style)[\s>]/i

// What a part of a document begins with.
const PART =
  /^\s*(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:p|div|h[1-6]|ul|ol|li|dl|dt|dd|table|tr|td|section|article|main|header|footer|nav|aside|blockquote|figure|picture|form|details|span|a|b|i|u|s|em|strong|font|center|pre|br|hr|img)[\s/>]/i
const TAG =
  /<!--(?:(?!-->)[\s\S])*-->|<(script|style)[\s>](?:(?!<\/\1)[\s\S])*<\/\1\s*>|<(\/?)([a-z][a-z0-9-]*)(?:\s[^<>]*)?>/gi
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i

/**
 * Tells whether a text with tags is HTML: a document, or a part of one with all its text within elements.
 * Markdown and programs have tags too, but reading them as HTML would leave out the line ends and half of the
 * code.
 */
export function isHtml(utf8: Buffer): boolean {
  const head = new TextDecoder().decode(utf8.subarray(0, HEAD_BYTES))
  return DOCUMENT.test(head) || (PART.test(head) && isAllInElements(head))
}

function isAllInElements(text: string): boolean {
  let [depth, at] = [0, 0]
  for (const { 0: tag, 2: slash, 3: name, index } of text.matchAll(TAG)) {
    if (depth === 0 && text.slice(at, index).trim() !== '') return false
    at = index + tag.length
    if (name === undefined || VOID.test(name)) continue
    depth = slash === '/' ? Math.max(0, depth - 1) : depth + 1
  }
  return depth > 0 || text.slice(at).trim() === ''
}

/** Returns the format of an Office document, a book or HTML, by its media type. */
export function officeFormat(mediaType: string) {
  return (Object.entries(OFFICE_FORMATS).find(([type]) => type === mediaType) ?? [])[1]
}
