import { z } from 'zod'

/** What every event of the workspace says (workspace spec 6.2). The org reads it: it is visible to the org's id. */
const change = z.object({
  org_id: z.uuid(),
  entity_type: z.string(),
  entity_id: z.uuid(),
  short_id: z.string(),
  space_id: z.uuid(),
  actor_id: z.uuid().nullable(),
  via: z.enum(['agent', 'web', 'api', 'service']),
  data: z.record(z.string(), z.unknown()),
})

/** The types of the workspace's specification (6.1) that are emitted. */
export const workspaceTypes = {
  'space.created': { when: 'A space was opened.', emittedBy: 'workspace/spaces/create.ts', payload: change },
  'page.created': { when: 'A page was written.', emittedBy: 'workspace/pages/create.ts', payload: change },
  'page.updated': {
    when: 'The title, the text or the entries of a page changed.',
    emittedBy: 'workspace/pages/edit.ts',
    payload: change,
  },
  'attachment.created': {
    when: 'A file was attached to a page.',
    emittedBy: 'workspace/attachments/attach.ts',
    payload: change,
  },
  'attachment.updated': {
    when: 'An attachment was renamed, moved to another entry, or has new bytes.',
    emittedBy: 'workspace/attachments/update.ts',
    payload: change,
  },
  'attachment.deleted': {
    when: 'An attachment was put in the trash.',
    emittedBy: 'workspace/attachments/trash.ts',
    payload: change,
  },
  'attachment.restored': {
    when: 'An attachment came out of the trash.',
    emittedBy: 'workspace/attachments/trash.ts',
    payload: change,
  },
} as const
