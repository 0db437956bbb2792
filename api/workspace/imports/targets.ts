import { posix } from 'node:path'
import type { PlannedPage } from './layout.ts'
import type { FoundLink } from './markdown.ts'
import { isMarkdown, resolvePath, withoutMarkdown } from './paths.ts'

/** A page of an import, or the path of a file. */
export type Target = PlannedPage | string

/** Finds the target of a link or a name from a folder. */
export type Finder = (folder: string, target: string, kind: FoundLink['kind']) => Target | undefined

/** How programs write names into names of files: GitHub a space, Logseq a / of now and of before. */
const FILE_NAMES = [
  [' ', '-'],
  ['/', '___'],
  ['/', '%2F'],
] as const

interface Place {
  path: string
  target: Target
}

/**
 * Returns a function that finds pages and files. A path is resolved from its folder, or, if nothing is there, leads to the only
 * path that ends in it. A name leads to a file in its folder, or to the shortest path that ends in it, as in Obsidian. Case
 * matters only if both spellings exist.
 */
export function finder(pageAt: ReadonlyMap<string, PlannedPage>, files: readonly string[]): Finder {
  const places = new Map<string, Place[]>()
  const add = (path: string, target: Target) => {
    const segments = path.split('/')
    for (const index of segments.keys()) {
      const key = segments.slice(index).join('/').toLowerCase()
      const known = places.get(key)
      if (known) known.push({ path, target })
      else places.set(key, [{ path, target }])
    }
  }
  for (const [path, page] of pageAt) {
    add(path, page)
    if (isMarkdown(path)) add(withoutMarkdown(path), page)
  }
  for (const path of files) add(path, path)

  /** The paths that end in another path: those in the same case, if there are any. */
  const endingIn = (end: string): Place[] => {
    const found = places.get(end.toLowerCase()) ?? []
    const exact = found.filter(({ path }) => path === end || path.endsWith(`/${end}`))
    return exact.length > 0 ? exact : found
  }
  const at = (path: string) => endingIn(path).find((place) => place.path.length === path.length)?.target
  const inFolder = (folder: string, target: string) => {
    const path = resolvePath(folder, target)
    return path === undefined || path === '' ? undefined : at(path)
  }
  return (folder, target, kind) => {
    const found = inFolder(folder, target)
    if (found !== undefined) return found
    const isOutside = resolvePath(folder, target) === undefined
    const end = posix.normalize(target).replace(/^(?:\.\.?\/|\/)+|\/+$/g, '')
    if (isOutside || end === '' || end === '.' || end === '..') return undefined
    const ending = endingIn(end)
    if (kind === 'path') return new Set(ending.map((place) => place.target)).size === 1 ? ending[0]?.target : undefined
    const shortest = ending.toSorted(
      (one, other) => one.path.length - other.path.length || (one.path < other.path ? -1 : 1),
    )[0]?.target
    if (shortest !== undefined) return shortest
    const spelled = FILE_NAMES.map(([from, to]) => end.replaceAll(from, to)).filter((name) => name !== end)
    return spelled.map((name) => endingIn(name)[0]?.target).find((led) => led !== undefined)
  }
}
