import { useEffect, useRef } from 'react'

/** The state of the history's entry in which `/` opens a search. */
export const FOCUS_SEARCH = { focus: 'search' }

/** Returns the ref of a page's search field, which has the focus if `/` has opened the page. */
export function useSearchFocus() {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (history.state?.focus === FOCUS_SEARCH.focus) field.current?.focus()
  }, [])
  return field
}
