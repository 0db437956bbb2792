/** What text is taken out of a structure: the media type, and what officeparser calls it. */
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
  /^\s*(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype\s+html|html|head|body|title|meta|script|style)[\s>]/i

/**
 * Tells whether a text that has tags is a document of HTML. Markdown and programs have some too: of those a reader of HTML would
 * leave out the line ends and half of the code.
 */
export function isHtmlDocument(utf8: Buffer): boolean {
  return DOCUMENT.test(new TextDecoder().decode(utf8.subarray(0, HEAD_BYTES)))
}

/** Returns the format of an Office document, a book or HTML, by its media type. */
export function officeFormat(mediaType: string) {
  return (Object.entries(OFFICE_FORMATS).find(([type]) => type === mediaType) ?? [])[1]
}
