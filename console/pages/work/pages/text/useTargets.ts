import { useMemo } from 'react'
import { useAll } from '../../../../data/all.ts'
import type { Body } from '../../../../data/queries.ts'
import type { Targets } from './references.ts'

const PREVIEW_POLL_MS = 2_000

/** Reads what the references of a page can lead to; its files again while previews of them are being made. */
export function useTargets(org: string, page: Body<'getPage'>): { targets: Targets; isRead: boolean } {
  const ofPage = { params: { org }, query: { page: page.id } }
  const files = useAll('listAttachments', ofPage).data
  const isPending = files?.some(({ preview_state }) => preview_state === 'pending') ?? false
  useAll('listAttachments', ofPage, { enabled: isPending, pollMs: PREVIEW_POLL_MS })
  const pages = useAll('listPages', { params: { org } }).data
  const { references } = page
  const targets = useMemo(() => ({ files: files ?? [], pages: pages ?? [], references }), [files, pages, references])
  return { targets, isRead: files !== undefined && pages !== undefined }
}
