import { useEffect } from 'react'

/** Shows what the address names behind its #, once it is there: `#comment-k3v09x2m7q`. */
export function useHashTarget(prefix: string, isThere: boolean): void {
  useEffect(() => {
    const id = decodeURIComponent(location.hash.slice(1))
    if (isThere && id.startsWith(prefix)) document.getElementById(id)?.scrollIntoView({ block: 'center' })
  }, [prefix, isThere])
}
