/** What somebody is writing on a page, and which version they began with. */
export interface Draft {
  base: number
  title: string
  text: string
}

/** Returns what was left unsaved on a page in this browser. */
export function readDraft(page: string): Draft | undefined {
  const kept = localStorage.getItem(keyOf(page))
  return kept === null ? undefined : (JSON.parse(kept) as Draft)
}

/** Keeps what is being written, so that closing the tab loses nothing. */
export function keepDraft(page: string, draft: Draft): void {
  localStorage.setItem(keyOf(page), JSON.stringify(draft))
}

export function dropDraft(page: string): void {
  localStorage.removeItem(keyOf(page))
}

function keyOf(page: string): string {
  return `draft:${page}`
}
