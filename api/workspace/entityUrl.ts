/** A thing of the workspace, as an address names it; `page_id` and `task_id` say what an entry or a comment is on. */
interface Entity {
  type: string
  id: string
  short_id: string | null
  page_id?: string | null
  task_id?: string | null
}

/** The pages of the console that show what has none of its own. */
const SHOWN_IN: Readonly<Record<string, string>> = {
  ...{ human: 'settings', agent: 'settings', member: 'settings', org: 'settings', webhook: 'settings' },
  ...{ entry: 'settings', import: 'settings', confirmation: 'notifications' },
}

/**
 * Returns the path of the console's page that shows a thing: `/console/orgs/works/pages/k3v09x2m7q`, and for a comment that
 * of what it is on, with `#comment-…`. A thing has its page at the plural of its type (console/routing/paths.ts), but for a few.
 */
export function entityPath(org: string, { type, id, short_id, page_id, task_id }: Entity): string {
  const ref = short_id ?? id
  const base = `/console/orgs/${encodeURIComponent(org)}`
  if (type === 'entry' || type === 'comment') {
    const place = page_id ? `pages/${page_id}` : task_id && `tasks/${task_id}`
    if (place) return `${base}/${place}#${type}-${ref}`
  }
  return `${base}/${SHOWN_IN[type] ?? `${type}s/${ref}`}`
}
