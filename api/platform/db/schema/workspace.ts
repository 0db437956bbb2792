import type { Generated, GeneratedAlways } from 'kysely'
import type { Json, MaybeTime, Time } from './columns.ts'

/** What the worker has made of a file's text, and of its preview. */
export type TextState = 'pending' | 'ready' | 'unsupported' | 'failed' | 'truncated'
/** What the virus scanner says of a file. */
export type ScanState = 'unscanned' | 'clean' | 'infected' | 'unscannable' | 'released' | 'deleted'
export type PreviewState = Exclude<TextState, 'truncated'>

interface Spaces {
  id: string
  short_id: string
  org_id: string
  name: string
  visibility: Generated<'open' | 'private'>
  archived_at: MaybeTime
  created_by: string
  created_at: Time
}

interface SpaceMembers {
  org_id: string
  space_id: string
  human_id: string
  added_at: Time
}

interface Pages {
  id: string
  short_id: string
  org_id: string
  space_id: string
  parent_id: string | null
  title: string
  text: string
  version: Generated<number>
  published_version: number | null
  published_at: MaybeTime
  created_by: string
  created_at: Time
  updated_at: Time
  trashed_at: MaybeTime
  purge_at: MaybeTime
  trashed_with: string | null
  import_id: Generated<string | null>
}

interface PageVersions {
  page_id: string
  number: number
  org_id: string
  title: string
  text: string
  created_by: string
  created_at: Time
}

interface PageLinks {
  page_id: string
  org_id: string
  name: string
}

interface PageAliases {
  page_id: string
  org_id: string
  title: string
  until: Time
}

export type TaskState = 'open' | 'offered' | 'claimed' | 'submitted' | 'approved' | 'rejected' | 'archived'

interface Tasks {
  id: string
  short_id: string
  org_id: string
  space_id: string
  page_id: string | null
  title: string
  text: string
  state: Generated<TaskState>
  claimed_by: string | null
  lease_until: MaybeTime
  result: string | null
  reason: string | null
  bid_id: string | null
  order_id: string | null
  created_by: string
  created_at: Time
  updated_at: Time
}

interface TaskFiles {
  task_id: string
  attachment_id: string
  org_id: string
  version: number
}

interface Comments {
  id: string
  short_id: string
  org_id: string
  page_id: string | null
  task_id: string | null
  thread_id: string | null
  text: string
  anchor: Json<{ quote: string; before: string; after: string; start: number; isOnly: boolean }> | null
  created_by: string
  created_at: Time
  updated_at: Time
  resolved_by: string | null
  resolved_at: MaybeTime
  deleted_at: MaybeTime
}

interface Decisions {
  id: string
  short_id: string
  org_id: string
  space_id: string
  page_id: string | null
  task_id: string | null
  supersedes: string | null
  title: string
  text: string
  created_by: string
  created_at: Time
}

interface Secrets {
  id: string
  short_id: string
  org_id: string
  space_id: string | null
  name: string
  sealed_value: Buffer
  version: Generated<number>
  created_by: string
  created_at: Time
  updated_by: string
  updated_at: Time
}

export type ImportState = 'running' | 'finished' | 'failed' | 'undone'

interface Imports {
  id: string
  short_id: string
  org_id: string
  space_id: string
  parent_id: string | null
  attachment_id: string | null
  state: Generated<ImportState>
  failure: string | null
  pages: Generated<number>
  files: Generated<number>
  attempts: Generated<number>
  created_by: string
  via: 'agent' | 'web' | 'api'
  created_at: Time
  ended_at: MaybeTime
  undone_at: MaybeTime
}

interface Entries {
  id: string
  short_id: string
  org_id: string
  page_id: string
  text: string
  created_by: string
  created_at: Time
}

interface Attachments {
  id: string
  short_id: string
  org_id: string
  page_id: string
  entry_id: string | null
  filename: string
  version: Generated<number>
  created_by: string
  created_at: Time
  updated_at: Time
  trashed_at: MaybeTime
  purge_at: MaybeTime
  import_id: Generated<string | null>
}

interface Files {
  id: string
  org_id: string
  sha256: string
  size_bytes: bigint
  created_at: Time
  text_state: Generated<TextState>
  preview_state: Generated<PreviewState>
  scan_state: Generated<ScanState>
  signature: Generated<string | null>
  scanned_at: MaybeTime
  scans: Generated<number>
  attempts: Generated<number>
}

interface FileTexts {
  file_id: string
  org_id: string
  first_character: number
  characters: number
  text: string
  search: GeneratedAlways<string>
}

interface SearchDocuments {
  id: string
  type: 'page' | 'entry' | 'task' | 'comment'
  org_id: string
  space_id: string
  page_id: string | null
  is_trashed: Generated<boolean>
  title: string | null
  search: string
}

interface Previews {
  id: string
  file_id: string
  size: number
  size_bytes: bigint
  created_at: Time
}

interface AttachmentVersions {
  attachment_id: string
  number: number
  file_id: string
  media_type: string
  created_by: string
  created_at: Time
}

interface StorageUsage {
  org_id: string
  used_bytes: Generated<bigint>
  reserved_bytes: Generated<bigint>
}

interface Uploads {
  id: string
  org_id: string
  created_by: string
  is_direct: Generated<boolean>
  metadata: Json<Record<string, string | null>>
  length_bytes: bigint | null
  reserved_bytes: bigint
  unverified_from: Generated<bigint | null>
  lease_id: string | null
  leased_until: MaybeTime
  is_wanted: Generated<boolean>
  attachment_id: Generated<string | null>
  created_at: Time
  expires_at: Date
}

export interface WorkspaceTables {
  'market.spaces': Spaces
  'market.space_members': SpaceMembers
  'market.pages': Pages
  'market.page_versions': PageVersions
  'market.page_links': PageLinks
  'market.page_aliases': PageAliases
  'market.tasks': Tasks
  'market.task_files': TaskFiles
  'market.comments': Comments
  'market.decisions': Decisions
  'market.secrets': Secrets
  'market.imports': Imports
  'market.entries': Entries
  'market.attachments': Attachments
  'market.files': Files
  'market.file_texts': FileTexts
  'market.search_documents': SearchDocuments
  'market.previews': Previews
  'market.attachment_versions': AttachmentVersions
  'market.storage_usage': StorageUsage
  'market.uploads': Uploads
  'market.kept_blobs': { id: string }
}
