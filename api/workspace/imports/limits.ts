import { ArchiveRefused } from '../../platform/zip/archive.ts'
import type { DirectoryLimits } from '../../platform/zip/zip.ts'

/** How many entries an archive may have, and how long its list of them may be. */
export const DIRECTORY_LIMITS: DirectoryLimits = { maxEntries: 1_000, maxDirectoryBytes: 1_048_576 }
/** How deep archives may be in archives. */
export const MAX_NESTING = 2
/** How much its entries may inflate to, together. */
export const MAX_INFLATED_BYTES = 512 * 1_048_576
/** How much Markdown it may have, which is in memory at once. */
export const MAX_TEXT_BYTES = 32 * 1_048_576
/** How often a file may be attached: once for each page that refers to it. */
export const MAX_ATTACHMENTS = 2_000
/** How deep its folders may go. */
export const MAX_DEPTH = 20

/** An archive that is not imported. The message is for whoever sent it. */
export class ImportRefused extends ArchiveRefused {}
