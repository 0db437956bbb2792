/** An unsaved edit of a page, and the version that it began with. */
export interface Draft {
  base: number
  title: string
  text: string
}

/** Returns the draft of a page that this browser keeps. */
export function readDraft(page: string): Draft | undefined {
  const kept = localStorage.getItem(keyOf(page))
  return kept === null ? undefined : (JSON.parse(kept) as Draft)
}

/** Whether this browser keeps a draft of a page. */
export function hasDraft(page: string): boolean {
  return localStorage.getItem(keyOf(page)) !== null
}

/** Stores a draft in this browser, so that closing the tab loses nothing. */
export function keepDraft(page: string, draft: Draft): void {
  localStorage.setItem(keyOf(page), JSON.stringify(draft))
}

export function dropDraft(page: string): void {
  localStorage.removeItem(keyOf(page))
}

function keyOf(page: string): string {
  return `draft:${page}`
}
