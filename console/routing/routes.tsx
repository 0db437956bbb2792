import { type ComponentType, useEffect, useState } from 'react'

/** A page of the console: where it is, and what loads its code. */
export interface PageRoute {
  path: string
  load: () => Promise<ComponentType>
}

const loaded = new Map<PageRoute['load'], ComponentType>()

/**
 * Loads a page's code when it is first shown, and shows it as soon as it is there. React's `lazy` would show it 300 ms
 * late.
 */
export function LoadedPage({ load }: { load: PageRoute['load'] }) {
  const [, setThere] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  useEffect(() => {
    if (loaded.has(load)) return
    load()
      .then((component) => {
        loaded.set(load, component)
        setThere(true)
      })
      .catch(setFailure)
  }, [load])
  if (failure) throw failure
  const Page = loaded.get(load)
  return Page ? <Page /> : null
}
