/** A thing of the workspace, as an address names it. */
interface Entity {
  type: string
  id: string
  short_id: string | null
}

/** Returns the path of a thing in the API of its org: `/orgs/works/pages/k3v09x2m7q`. */
export function entityPath(slug: string, { type, id, short_id }: Entity): string {
  return `/orgs/${slug}/${type}s/${short_id ?? id}`
}
