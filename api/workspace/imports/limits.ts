/** How many entries an archive may have, folders included. */
export const MAX_ENTRIES = 1_000
/** How much its entries may inflate to, together. */
export const MAX_INFLATED_BYTES = 512 * 1_048_576
/** How much Markdown it may have, which is in memory at once. */
export const MAX_TEXT_BYTES = 32 * 1_048_576
/** How often a file may be attached: once for each page that refers to it. */
export const MAX_ATTACHMENTS = 2_000
/** How deep its folders may go. */
export const MAX_DEPTH = 20
/** How long its list of entries may be, in bytes. */
export const MAX_DIRECTORY_BYTES = 1_048_576

/** An archive that is not imported. The message is for whoever sent it. */
export class ImportRefused extends Error {}
