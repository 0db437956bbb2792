import { type ComponentType, useEffect, useState } from 'react'
import { useHold } from '../ui/hold.ts'

/** A page of the console: where it is, and what loads its code. */
export interface PageRoute {
  path: string
  load: () => Promise<ComponentType>
}

const loaded = new Map<PageRoute['load'], ComponentType>()

/**
 * Starts to load the code of the page at a path, if there is one. If that fails, it fails again where the
 * page is shown.
 */
export function startLoading(pages: readonly PageRoute[], path: string): void {
  const page = pages.find((one) => new RegExp(`^${one.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path))
  page?.load().then(
    (component) => loaded.set(page.load, component),
    () => {},
  )
}

/**
 * Loads a page's code when it is first shown, and shows it as soon as it is there. React's `lazy` would show
 * it 300 ms late.
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
  const Page = loaded.get(load)
  useHold(Page === undefined)
  if (failure) throw failure
  return Page ? <Page /> : null
}
