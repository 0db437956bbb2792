import { ArchiveRefused } from '../../../platform/zip/archive.ts'
import type { DirectoryLimits } from '../../../platform/zip/zip.ts'

/** How many entries an archive may have, and how long its list of them may be. */
export const DIRECTORY_LIMITS: DirectoryLimits = { maxEntries: 1_000, maxDirectoryBytes: 1_048_576 }
/** How deeply archives may be nested in archives. */
export const MAX_NESTING = 2
/** The size that all entries together may inflate to. */
export const MAX_INFLATED_BYTES = 512 * 1_048_576
/** How much Markdown an archive may have. All of it is in memory at once. */
export const MAX_TEXT_BYTES = 32 * 1_048_576
/** How often a file may be attached: once for each page that refers to it. */
export const MAX_ATTACHMENTS = 2_000
/** How deep the folders may be nested. */
export const MAX_DEPTH = 20

/** The error for an archive that is not imported. The message is for the person who sent it. */
export class ImportRefused extends ArchiveRefused {}
