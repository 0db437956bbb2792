import { z } from 'zod'

/** What every event of the workspace says (workspace spec 6.2). The org reads it: it is visible to the org's id. */
const change = z.object({
  org_id: z.uuid(),
  entity_type: z.string(),
  entity_id: z.uuid(),
  // People, agents and the org itself have none, and are in no space.
  short_id: z.string().nullable(),
  space_id: z.uuid().nullable(),
  actor_id: z.uuid().nullable(),
  via: z.enum(['agent', 'web', 'api', 'service']),
  data: z.record(z.string(), z.unknown()),
})

/** The types of the workspace's specification (6.1) that are emitted. */
export const workspaceTypes = {
  'space.created': { when: 'A space was opened.', emittedBy: 'workspace/spaces/create.ts', payload: change },
  'space.updated': {
    when: 'A space was renamed, archived or taken out of the archive, or others may see it.',
    emittedBy: 'workspace/spaces/update.ts',
    payload: change,
  },
  'space.deleted': {
    when: 'A space, which was empty, was deleted.',
    emittedBy: 'workspace/spaces/delete.ts',
    payload: change,
  },
  'member.added': {
    when: 'Somebody who was invited joined the org.',
    emittedBy: 'workspace/members/announce.ts',
    payload: change,
  },
  'member.removed': {
    when: 'A member left the org, was removed, or was erased.',
    emittedBy: 'workspace/members/announce.ts',
    payload: change,
  },
  'member.role_changed': {
    when: 'A member has another role.',
    emittedBy: 'workspace/members/announce.ts',
    payload: change,
  },
  'agent.created': {
    when: 'A member made an agent a member of the org.',
    emittedBy: 'workspace/agents/add.ts',
    payload: change,
  },
  'agent.paused': {
    when: 'An agent may do nothing in the org until it is resumed.',
    emittedBy: 'workspace/agents/states.ts',
    payload: change,
  },
  'agent.resumed': {
    when: 'A paused agent is in the org again.',
    emittedBy: 'workspace/agents/states.ts',
    payload: change,
  },
  'agent.revoked': {
    when: 'An agent is out of the org for good.',
    emittedBy: 'workspace/agents/states.ts',
    payload: change,
  },
  'agent.kill_switch': {
    when: 'No agent may do anything in the org (data.engaged), or all may again.',
    emittedBy: 'workspace/agents/killSwitch.ts',
    payload: change,
  },
  'page.created': { when: 'A page was written.', emittedBy: 'workspace/pages/create.ts', payload: change },
  'page.updated': {
    when: 'The title, the text or the entries of a page changed.',
    emittedBy: 'workspace/pages/write.ts',
    payload: change,
  },
  'page.moved': {
    when: 'A page has another place in the tree, or is in another space; what is below it goes with it.',
    emittedBy: 'workspace/pages/move.ts',
    payload: change,
  },
  'page.deleted': {
    when: 'A page was put in the trash, or one above it.',
    emittedBy: 'workspace/pages/trash.ts',
    payload: change,
  },
  'page.restored': {
    when: 'A page came out of the trash.',
    emittedBy: 'workspace/pages/trash.ts',
    payload: change,
  },
  'page.published': {
    when: 'A version of a page is the published one.',
    emittedBy: 'workspace/pages/publish.ts',
    payload: change,
  },
  'task.created': {
    when: 'A task was filed.',
    emittedBy: 'workspace/tasks/create.ts',
    payload: change,
  },
  'task.updated': {
    when: 'What is to be done, or the files of a task changed, or it was offered on the market or taken off it.',
    emittedBy: 'workspace/tasks/update.ts',
    payload: change,
  },
  'task.state_changed': {
    when: 'A task is in another state; beside the type that says how.',
    emittedBy: 'workspace/tasks/transition.ts',
    payload: change,
  },
  'task.claimed': {
    when: 'A member claimed a task, or the order that it is done for was paid.',
    emittedBy: 'workspace/tasks/states.ts',
    payload: change,
  },
  'task.released': {
    when: 'A claimed task was given back, or its order ended without its work.',
    emittedBy: 'workspace/tasks/states.ts',
    payload: change,
  },
  'task.claim_stale': {
    when: 'The lease of a claim was over.',
    emittedBy: 'workspace/tasks/states.ts',
    payload: change,
  },
  'task.submitted': {
    when: 'A task was handed in, or its order delivered.',
    emittedBy: 'workspace/tasks/states.ts',
    payload: change,
  },
  'task.approved': {
    when: 'A task was approved, or its order accepted.',
    emittedBy: 'workspace/tasks/states.ts',
    payload: change,
  },
  'task.rejected': {
    when: 'A task was rejected, or its order.',
    emittedBy: 'workspace/tasks/states.ts',
    payload: change,
  },
  'task.completed': {
    when: 'With task.approved: the task is done.',
    emittedBy: 'workspace/tasks/transition.ts',
    payload: change,
  },
  'task.refiled': {
    when: 'A task is open again that was approved, rejected or archived.',
    emittedBy: 'workspace/tasks/states.ts',
    payload: change,
  },
  'task.archived': {
    when: 'A task was put away.',
    emittedBy: 'workspace/tasks/states.ts',
    payload: change,
  },
  'comment.created': {
    when: 'Somebody commented on a page or a task.',
    emittedBy: 'workspace/comments/create.ts',
    payload: change,
  },
  'comment.updated': {
    when: 'A comment was written anew.',
    emittedBy: 'workspace/comments/change.ts',
    payload: change,
  },
  'comment.resolved': {
    when: 'A thread was resolved.',
    emittedBy: 'workspace/comments/change.ts',
    payload: change,
  },
  'comment.reopened': {
    when: 'A resolved thread is open again.',
    emittedBy: 'workspace/comments/change.ts',
    payload: change,
  },
  'comment.deleted': {
    when: 'A comment was deleted.',
    emittedBy: 'workspace/comments/change.ts',
    payload: change,
  },
  'decision.recorded': {
    when: 'A decision was recorded (data.supersedes: in place of an earlier one).',
    emittedBy: 'workspace/decisions/create.ts',
    payload: change,
  },
  'import.started': {
    when: 'An archive is being imported.',
    emittedBy: 'workspace/imports/start.ts',
    payload: change,
  },
  'import.finished': {
    when: 'An import made its pages, or failed and made none (data.state).',
    emittedBy: 'workspace/imports/finish.ts',
    payload: change,
  },
  'import.undone': {
    when: 'The pages of an import were put in the trash.',
    emittedBy: 'workspace/imports/undo.ts',
    payload: change,
  },
  'secret.revealed': {
    when: 'The value of a secret is being handed to somebody: the event is written before that.',
    emittedBy: 'workspace/secrets/reveal.ts',
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
