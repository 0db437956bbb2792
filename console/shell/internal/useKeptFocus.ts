import { useEffect } from 'react'

/**
 * Moves the focus to the heading of the page when the element that has it is removed: it would be lost on
 * `<body>`.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | undefined
    const note = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : undefined
    }
    const keep = () => {
      const isLost = document.activeElement === document.body && (last === undefined || !last.isConnected)
      if (isLost) document.querySelector<HTMLElement>('dialog[open] h2, main h1')?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(keep)
    observer.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', note)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', note)
    }
  }, [])
}
