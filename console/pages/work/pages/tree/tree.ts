/** A page, and where it is in the tree. */
interface InTree {
  id: string
  space_id: string
  parent_id: string | null
  title: string
}

/**
 * Returns the pages of a space, or a page with those below it, as the tree shows them: each before those
 * below it.
 */
export function inTreeOrder<Page extends InTree>(
  pages: readonly Page[],
  what: { space: string } | { page: string },
): Page[] {
  const below = (parent: string | null, among: readonly Page[]): Page[] =>
    childrenOf(among, parent).flatMap((page) => [page, ...below(page.id, among)])
  if ('page' in what)
    return pages.filter(({ id }) => id === what.page).flatMap((page) => [page, ...below(page.id, pages)])
  return below(
    null,
    pages.filter(({ space_id }) => space_id === what.space),
  )
}

/** Returns the pages below a page, or the top ones, by their titles. */
export function childrenOf<Page extends InTree>(pages: readonly Page[], parent: string | null): Page[] {
  return pages
    .filter(({ parent_id }) => parent_id === parent)
    .toSorted((one, other) => one.title.localeCompare(other.title))
}

/** Whether a page is the one of an id, or below it: that one cannot move there. */
export function isBelow(pages: readonly InTree[], page: InTree | undefined, id: string): boolean {
  for (let at = page; at; ) {
    if (at.id === id) return true
    const above: string | null = at.parent_id
    at = pages.find((one) => one.id === above)
  }
  return false
}
