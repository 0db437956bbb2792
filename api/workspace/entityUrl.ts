/** A thing of the workspace, as an address names it; `page_id` and `task_id` say what an entry or a comment is on. */
interface Entity {
  type: string
  id: string
  short_id: string | null
  page_id?: string | null
  task_id?: string | null
}

/** Things that have a page of the console each, at the plural of their type (console/routing/paths.ts). */
const WITH_PAGE = ['space', 'page', 'task', 'comment', 'attachment', 'decision', 'secret']

/**
 * Returns the path of the console's page that shows a thing: `/console/orgs/works/pages/k3v09x2m7q`, and for a comment that
 * of what it is on, with `#comment-…`. A question is among the notifications; people, agents, webhooks and the org itself are
 * in its settings.
 */
export function entityPath(org: string, { type, id, short_id, page_id, task_id }: Entity): string {
  const ref = short_id ?? id
  const base = `/console/orgs/${encodeURIComponent(org)}`
  if (type === 'entry' || type === 'comment') {
    const place = page_id ? `pages/${page_id}` : task_id && `tasks/${task_id}`
    if (place) return `${base}/${place}#${type}-${ref}`
  }
  if (WITH_PAGE.includes(type)) return `${base}/${type}s/${ref}`
  return `${base}/${type === 'confirmation' ? 'notifications' : 'settings'}`
}
