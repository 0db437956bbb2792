import { useSyncExternalStore } from 'react'

const DARK = '(prefers-color-scheme: dark)'

/**
 * Returns a text that changes with the colours of the page, for what is drawn with the colours themselves.
 */
export function useTheme(): string {
  return useSyncExternalStore(follow, read)
}

function follow(onChange: () => void): () => void {
  const device = matchMedia(DARK)
  const chosen = new MutationObserver(onChange)
  device.addEventListener('change', onChange)
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    device.removeEventListener('change', onChange)
    chosen.disconnect()
  }
}

function read(): string {
  return document.documentElement.dataset.theme ?? String(matchMedia(DARK).matches)
}
