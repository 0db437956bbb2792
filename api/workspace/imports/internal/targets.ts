import { posix } from 'node:path'
import { type PlannedPage, titleOf } from '../layout.ts'
import { isMarkdown, resolvePath, withoutMarkdown } from '../paths.ts'
import type { FrontMatter } from './frontMatter.ts'
import type { FoundLink } from './markdown.ts'

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

/**
 * The paths that end in one path. A text may refer to it a million times, so each reference takes one look.
 */
class Ending {
  readonly targets = new Set<Target>()
  first: Target | undefined
  shortest: { path: string; target: Target } | undefined
  /** The targets of the paths that are no longer, by their length. */
  readonly whole = new Map<number, Target>()

  add(path: string, target: Target, isWhole: boolean): void {
    this.targets.add(target)
    this.first ??= target
    if (isWhole && !this.whole.has(path.length)) this.whole.set(path.length, target)
    const { shortest } = this
    const isShorter =
      !shortest || path.length < shortest.path.length || (path.length === shortest.path.length && path < shortest.path)
    if (isShorter) this.shortest = { path, target }
  }
}

/**
 * Returns a function that finds pages and files. A path is resolved from its folder, or, if nothing is there,
 * leads to the only path that ends in it. A name leads to a file in its folder, or to the shortest path that
 * ends in it, as in Obsidian. Case matters only if both spellings exist.
 */
export function finder(pageAt: ReadonlyMap<string, PlannedPage>, files: readonly string[]): Finder {
  // By the ends of the paths: in their own case, and in lower case.
  const [exact, lower] = [new Map<string, Ending>(), new Map<string, Ending>()]
  const add = (path: string, target: Target) => {
    const segments = path.split('/')
    for (const index of segments.keys()) {
      const end = segments.slice(index).join('/')
      for (const [places, key] of [
        [exact, end],
        [lower, end.toLowerCase()],
      ] as const) {
        const ending = places.get(key) ?? new Ending()
        ending.add(path, target, index === 0)
        places.set(key, ending)
      }
    }
  }
  for (const [path, page] of pageAt) {
    add(path, page)
    if (isMarkdown(path)) add(withoutMarkdown(path), page)
  }
  for (const path of files) add(path, path)

  /** The paths that end in another path: those in the same case, if there are any. */
  const endingIn = (end: string) => exact.get(end) ?? lower.get(end.toLowerCase())
  const at = (path: string) => endingIn(path)?.whole.get(path.length)
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
    if (kind === 'path') return ending?.targets.size === 1 ? ending.first : undefined
    if (ending) return ending.shortest?.target
    const spelled = FILE_NAMES.map(([from, to]) => end.replaceAll(from, to)).filter((name) => name !== end)
    return spelled.map((name) => endingIn(name)?.first).find((led) => led !== undefined)
  }
}

/**
 * Returns the pages by their titles, then by their aliases, then by the names of their files and folders, in
 * the case of each and in lower case.
 */
export function aliasesOf(
  pageAt: ReadonlyMap<string, PlannedPage>,
  matters: ReadonlyMap<string, FrontMatter>,
): (name: string) => PlannedPage | undefined {
  const byName = new Map<string, PlannedPage>()
  const add = (names: readonly string[], page: PlannedPage) => {
    for (const name of names) if (!byName.has(name)) byName.set(name, page)
  }
  for (const page of pageAt.values()) add([page.title], page)
  for (const [path, { aliases }] of matters) add(aliases, pageAt.get(path) as PlannedPage)
  for (const [at, page] of pageAt) add([titleOf(at)], page)
  const exact = new Map(byName)
  for (const [name, page] of exact) add([name.toLowerCase()], page)
  return (name) => exact.get(name) ?? byName.get(name.toLowerCase())
}

/**
 * Returns the pages by the titles that they have in their front matter, as far as no other page has the title
 * by its file.
 */
export function namesOf(
  pageAt: ReadonlyMap<string, PlannedPage>,
  matters: ReadonlyMap<string, FrontMatter>,
): Map<string, PlannedPage> {
  const names = new Map<string, PlannedPage>()
  for (const [path, { title }] of matters) {
    if (title !== undefined && !names.has(title)) names.set(title, pageAt.get(path) as PlannedPage)
  }
  for (const [at, { path = at }] of pageAt) if (matters.get(path)?.title === undefined) names.delete(titleOf(at))
  return names
}
