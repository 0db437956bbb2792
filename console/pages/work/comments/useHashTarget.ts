import { useEffect } from 'react'

/** Scrolls to the element that the address names after its #, once it is there: `#comment-k3v09x2m7q`. */
export function useHashTarget(prefix: string, isThere: boolean): void {
  useEffect(() => {
    const id = decodeURIComponent(location.hash.slice(1))
    if (isThere && id.startsWith(prefix)) document.getElementById(id)?.scrollIntoView({ block: 'center' })
  }, [prefix, isThere])
}
