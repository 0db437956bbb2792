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

/** Returns the format of an Office document, a book or HTML, by its media type. */
export function officeFormat(mediaType: string) {
  return (Object.entries(OFFICE_FORMATS).find(([type]) => type === mediaType) ?? [])[1]
}
