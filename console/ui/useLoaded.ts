import { useEffect, useState } from 'react'
import { useHold } from './hold.ts'

/**
 * Returns what `load` imports once it is there: for large parts of a page that not everybody needs. Keep
 * `load` the same.
 */
export function useLoaded<Part>(load: () => Promise<Part>): Part | undefined {
  const [part, setPart] = useState<{ value: Part }>()
  const [failure, setFailure] = useState<unknown>()
  useEffect(() => {
    let isGone = false
    load()
      .then((value) => isGone || setPart({ value }))
      .catch(setFailure)
    return () => {
      isGone = true
    }
  }, [load])
  useHold(part === undefined && failure === undefined)
  if (failure) throw failure
  return part?.value
}
