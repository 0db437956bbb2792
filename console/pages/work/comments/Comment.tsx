import { Redirect } from 'wouter'
import { useRead } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { useOrgParams } from '../../../routing/useOrgParams.ts'
import { Problem } from '../../../ui/forms/Problem.tsx'

/** Redirects from a comment's address to the page or task that it is on. */
export function Comment() {
  const { org, ref } = useOrgParams()
  const { data, error } = useRead('getComment', { params: { org, ref } })
  if (!data) return error ? <Problem error={error} /> : null
  const { page_id, task_id, short_id } = data
  const place = page_id ? pathTo('page', { org, ref: page_id }) : pathTo('task', { org, ref: task_id ?? '' })
  return <Redirect to={`${place}#comment-${short_id}`} replace />
}
