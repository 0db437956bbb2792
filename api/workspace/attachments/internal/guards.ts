import type { Refusal } from '../../../errors.ts'
import { groundProblems } from '../../../errors.ts'
import { type Member, refuseMember } from '../../membership.ts'

// Pure rules for the actions of a member on a file and on its versions. `may` lists the actions whose rules
// refuse nothing. That a file of a task whose order runs is kept, only the verb finds out.

/** The actions of a member on an attachment. Each is a call. */
export const ATTACHMENT_ACTIONS = ['update', 'replace', 'trash', 'restore', 'purge'] as const

/** The actions of a member on a version of an attachment. Each is a call. */
export const VERSION_ACTIONS = ['restore', 'delete'] as const

interface Standing {
  trashed_at: Date | null
  space_archived_at: Date | null
}

/**
 * Refuses to delete for good what somebody else made, except for owners and admins of the org, and to agents
 * at all.
 */
export function refuseDeletion(member: Member, { created_by }: { created_by: string }): Refusal | undefined {
  if (member.via === 'agent') return { problem: groundProblems.forbidden, detail: 'Only people delete for good.' }
  return created_by === member.urn ? undefined : refuseMember(member)
}

/** Returns the actions that a member may take on an attachment now. */
export function mayOfAttachment(member: Member, attachment: Standing & { created_by: string }) {
  if (attachment.space_archived_at !== null) return []
  if (attachment.trashed_at === null) return ['update' as const, 'replace' as const, 'trash' as const]
  return refuseDeletion(member, attachment) ? ['restore' as const] : ['restore' as const, 'purge' as const]
}

/** Returns the actions that a member may take on a version of an attachment now. */
export function mayOfVersion(
  member: Member,
  attachment: Standing & { version: number },
  version: { number: number; created_by: string; scan_state: string },
) {
  if (attachment.space_archived_at !== null || attachment.trashed_at !== null) return []
  if (version.number === attachment.version) return []
  const may: (typeof VERSION_ACTIONS)[number][] = version.scan_state === 'deleted' ? [] : ['restore']
  return refuseDeletion(member, version) ? may : [...may, 'delete' as const]
}
