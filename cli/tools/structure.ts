import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../machine/paths.ts'
import { rooms } from './internal/rooms.ts'

const OUTSIDE = /^(node_modules|artifacts|cache|coverage|\.market)(\/|$)/
// Biome formats every import alike, in single quotes.
const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g
// A file of a room, in order or not.
const OF_ROOM = /^api\/(platform|identity|payments|trading|workspace)\//
// The problems of a folder: words that any other may use, and that need nothing.
const WORDS = /\/problems\.ts$/
// What each folder has: it is looked for there, by people too.
const STANDING = /\/(handlers|routes|module|problems|generated\/\w+)\.ts$/
const SMALL_LINES = 30
// How the lists name decisions, a thing that has its own table, events and routes.
const NAMES_DECISIONS =
  /market\.decisions\b|workspace\/decisions\/|\bdecision[A-Z]\w*\b|'decision(\.\w+)?'|name: 'decisions'|^ {2}decisions:/m

type Rooms = Readonly<Record<string, readonly string[]>>

/** A file of the product and the files of ours that it imports. */
interface Module {
  path: string
  text: string
  imports: readonly string[]
}

/** Reads the TypeScript of the product and of its tests. */
function readModules(): Module[] {
  const files = globSync('**/*.{ts,tsx}', { cwd: ROOT, exclude: (path) => OUTSIDE.test(path) })
  const code = files.filter((path) => !path.endsWith('.d.ts'))
  return code.map((path) => {
    const text = readFileSync(ROOT + path, 'utf8')
    return { path, text, imports: [...text.matchAll(IMPORT)].map(([, name = '']) => join(dirname(path), name)) }
  })
}

/** The folder of a room that a file is in, by its name in the order of the room. */
interface Home {
  room: string
  folder: string
}

/**
 * Returns the room and the folder of a file; the folder is undefined when the order of its room does not name
 * it.
 */
function homeOf(path: string, its: Rooms): { room: string; folder: string | undefined } | undefined {
  const room = Object.keys(its).find((name) => path.startsWith(`${name}/`))
  if (room === undefined) return undefined
  const inRoom = path.slice(room.length + 1)
  const folders = its[room] ?? []
  const within = folders.filter((name) => `${inRoom}/`.startsWith(`${name}/`))
  const top = inRoom.includes('/') || !folders.includes('.') ? undefined : '.'
  return { room, folder: within.sort((a, b) => b.length - a.length)[0] ?? top }
}

function isPlaced(home: { folder: string | undefined } | undefined): home is Home {
  return home?.folder !== undefined
}

/** An arrow between two folders of a room, with the imports that make it. */
interface Arrow {
  room: string
  from: string
  to: string
  imports: string[]
}

/** Returns the arrows between the folders of each room. */
export function arrowsOf(modules: readonly Module[], its: Rooms = rooms): Arrow[] {
  const arrows = new Map<string, Arrow>()
  for (const { path, imports } of modules) {
    const from = homeOf(path, its)
    for (const imported of imports) {
      const to = homeOf(imported, its)
      if (!isPlaced(from) || !isPlaced(to) || from.room !== to.room || from.folder === to.folder) continue
      if (WORDS.test(imported)) continue
      const name = `${from.room}: ${from.folder} → ${to.folder}`
      const arrow = arrows.get(name) ?? { room: from.room, from: from.folder, to: to.folder, imports: [] }
      arrow.imports.push(`${path} imports ${imported}`)
      arrows.set(name, arrow)
    }
  }
  return [...arrows.values()]
}

/** Returns the arrows that point up in the order of their room. */
function arrowsUp(arrows: readonly Arrow[], its: Rooms = rooms): Arrow[] {
  return arrows.filter(({ room, from, to }) => {
    const order = its[room] ?? []
    return order.indexOf(from) < order.indexOf(to)
  })
}

/** Returns the folders of each room that reach each other. */
export function knotsOf(arrows: readonly Arrow[]): string[][] {
  const next = Map.groupBy(arrows, ({ room, from }) => `${room}/${from}`)
  const reach = new Map([...next.keys()].map((name) => [name, reachedFrom(name, next)]))
  const inKnots = [...reach].filter(([name, reached]) => reached.has(name)).map(([name]) => name)
  const knots = Map.groupBy(inKnots, (name) =>
    inKnots.filter((other) => reach.get(name)?.has(other) && reach.get(other)?.has(name)).join(' '),
  )
  return [...knots.values()]
}

function reachedFrom(name: string, next: ReadonlyMap<string, readonly Arrow[]>): Set<string> {
  const reached = new Set<string>()
  const visit = (at: string): void => {
    for (const { room, to } of next.get(at) ?? []) {
      const there = `${room}/${to}`
      if (reached.has(there)) continue
      reached.add(there)
      visit(there)
    }
  }
  visit(name)
  return reached
}

/**
 * Returns a sentence for each violation of `rooms`: an import of a later folder, an import of what is
 * internal to another folder, a file in no folder, and a file outside `internal/` that its folder alone
 * imports.
 */
export function findDisorder(modules: readonly Module[], its: Rooms = rooms): string[] {
  const importers = Map.groupBy(
    modules.flatMap(({ path, imports }) => imports.map((imported) => ({ path, imported }))),
    ({ imported }) => imported,
  )
  const by = (path: string) => (importers.get(path) ?? []).map((each) => each.path)
  const entered = modules.flatMap(({ path }) => {
    const [folder = ''] = path.split('/internal/')
    if (folder === path) return []
    return by(path)
      .filter((importer) => !importer.startsWith(`${folder}/`))
      .map((importer) => `${importer} imports ${path}, which is internal`)
  })
  const homeless = modules.filter(({ path }) => {
    const home = homeOf(path, its)
    return home && !isPlaced(home)
  })
  return [
    ...arrowsUp(arrowsOf(modules, its), its).flatMap(({ imports }) =>
      imports.map((text) => `${text}, which is above it`),
    ),
    ...entered,
    ...homeless.map(({ path }) => `${path} is in no folder of its room`),
    ...modules
      .filter(({ path }) => standsOutsideForNobody(path, by(path), its))
      .map(({ path }) => `${path} is imported by its folder alone, and is not in its internal/`),
  ]
}

/** Whether its folder alone imports a file that others may. Entries of processes have no importer. */
function standsOutsideForNobody(path: string, by: readonly string[], its: Rooms): boolean {
  const home = homeOf(path, its)
  if (!isPlaced(home) || home.folder === '.' || /\.tsx?$/.test(home.folder)) return false
  if (path.includes('/internal/') || STANDING.test(path)) return false
  return by.length > 0 && by.every((importer) => importer.startsWith(`${home.room}/${home.folder}/`))
}

/**
 * Returns the files of the api's rooms that are imported from outside their folder of the room, with who
 * imports each.
 */
function importedFromOutside(modules: readonly Module[]): Map<string, string[]> {
  const top = (path: string) => path.split('/').slice(0, 3).join('/')
  const pairs = modules.flatMap(({ path, imports }) => imports.map((imported) => ({ path, imported })))
  const outside = pairs.filter(({ path, imported }) => OF_ROOM.test(imported) && top(path) !== top(imported))
  const byFile = Map.groupBy(outside, ({ imported }) => imported)
  return new Map([...byFile].map(([imported, found]) => [imported, found.map(({ path }) => path)]))
}

/**
 * Returns the files of rooms with under 30 lines that only one file, from the same folder, imports, and no
 * test. Verbs, which handlers import, tables of states, and files that a child process reads may be short.
 */
export function smallParts(modules: readonly Module[]): string[] {
  const importers = new Map<string, string[]>()
  for (const { path, imports } of modules)
    for (const target of imports) importers.set(target, [...(importers.get(target) ?? []), path])
  const isSmall = ({ path, text }: Module) => {
    const [by = '', ...others] = importers.get(path) ?? []
    if (others.length > 0 || folderOf(by) !== folderOf(path)) return false
    return text.split('\n').length <= SMALL_LINES && !/\/(handlers|child)\.ts$/.test(by) && !path.endsWith('/states.ts')
  }
  return modules.filter((module) => OF_ROOM.test(module.path) && isSmall(module)).map(({ path }) => path)
}

function folderOf(path: string): string {
  return dirname(path.replace('/internal/', '/'))
}

function printTable(): void {
  const modules = readModules()
  const product = modules.filter(({ path }) => !/^(test|bench)\//.test(path))
  const ofRooms = modules.filter(({ path }) => OF_ROOM.test(path))
  const arrows = arrowsOf(product).filter(({ room }) => room.startsWith('api/'))
  const outside = [...importedFromOutside(product)]
  const byRooms = outside.filter(([, importers]) => importers.some((path) => OF_ROOM.test(path)))
  const share = (count: number) => `${count} of ${ofRooms.length} (${Math.round((100 * count) / ofRooms.length)}%)`
  const lists = product.filter(
    ({ path, text }) =>
      path.startsWith('api/') &&
      !/^api\/(workspace\/decisions|trading)\/|\/generated\//.test(path) &&
      NAMES_DECISIONS.test(text),
  )
  const rows = {
    'knots: folders of one room that reach each other': knotsOf(arrows).map((knot) => knot.join(' ')),
    'arrows that run back up': arrowsUp(arrows).map(({ room, from, to }) => `${room}: ${from} → ${to}`),
    'files of the api that lists name for each new thing (decisions)': lists.map(({ path }) => path),
    'files of under 30 lines with one importer beside them': smallParts(modules),
  }
  for (const [name, found] of Object.entries(rows))
    console.log(`${name}: ${found.length}${found.map((item) => `\n    ${item}`).join('')}`)
  console.log(`arrows between folders: ${arrows.length}`)
  console.log(`files of rooms that are imported from outside their folder: ${share(outside.length)}`)
  console.log(`  by another folder of a room: ${share(byRooms.length)}`)
  console.log(`  by the lists and processes alone: ${share(outside.length - byRooms.length)}`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) printTable()
