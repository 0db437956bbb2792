import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../machine/paths.ts'
import { type Room, rooms } from './rooms.ts'

const OUTSIDE = /^(node_modules|artifacts|cache|coverage|\.market)(\/|$)/
// Biome formats every import alike, in single quotes.
const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g
// A file of a room, in order or not.
const OF_ROOM = /^api\/(platform|identity|payments|trading|workspace)\//
const SMALL_LINES = 30
// How the lists name decisions, a thing that has its own table, events and routes.
const NAMES_DECISIONS = /market\.decisions\b|\bdecisionHandlers\b|'decision(\.\w+)?'|name: 'decisions'|^ {2}decisions:/m

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

/** Returns whether a file is one of a room. */
function isOfRoom(path: string): boolean {
  return OF_ROOM.test(path)
}

/** Returns the room of a file of the api, its folder in the order of the room, and the folder whose door it is behind. */
function placeOf(path: string): { room: Room; box: string; folder: string } | undefined {
  const [api, room = '', folder = ''] = path.split('/')
  if (api !== 'api' || !isRoom(room)) return undefined
  const inRoom = path.slice(`api/${room}/`.length)
  const nested = Object.keys(rooms[room]).find(
    (name) => name.includes('/') && (inRoom === name || inRoom.startsWith(`${name}/`)),
  )
  return { room, box: nested ?? folder, folder }
}

function isRoom(name: string): name is Room {
  return Object.hasOwn(rooms, name)
}

/** An arrow between two folders of a room, with the imports that make it. */
interface Arrow {
  room: Room
  from: string
  to: string
  imports: string[]
}

/** Returns the arrows between the folders of each room. */
export function arrowsOf(modules: readonly Module[]): Arrow[] {
  const arrows = new Map<string, Arrow>()
  for (const { path, imports } of modules) {
    const from = placeOf(path)
    for (const imported of imports) {
      const to = placeOf(imported)
      if (!from || !to || from.room !== to.room || from.box === to.box) continue
      const name = `${from.room}: ${from.box} → ${to.box}`
      const arrow = arrows.get(name) ?? { room: from.room, from: from.box, to: to.box, imports: [] }
      arrow.imports.push(`${path} imports ${imported}`)
      arrows.set(name, arrow)
    }
  }
  return [...arrows.values()]
}

/** Returns the arrows that point up in the order of their room, or to or from a folder that has no place in it. */
export function arrowsUp(arrows: readonly Arrow[]): Arrow[] {
  return arrows.filter(({ room, from, to }) => {
    const order = Object.keys(rooms[room])
    return !order.includes(from) || !order.includes(to) || order.indexOf(from) < order.indexOf(to)
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

/** Returns the files of rooms that are imported from outside their folder, with who imports each. */
export function importedFromOutside(modules: readonly Module[]): Map<string, string[]> {
  const imported = new Map<string, string[]>()
  for (const { path, imports } of modules) {
    for (const target of imports) {
      const [from, to] = [placeOf(path), placeOf(target)]
      if (to && (from?.room !== to.room || from.folder !== to.folder))
        imported.set(target, [...(imported.get(target) ?? []), path])
    }
  }
  return imported
}

/** Returns whether a file of a room may import another of another folder, or a file beside the rooms may import it. */
export function isOffered(path: string, by: string): boolean {
  const door = doorOf(path)
  if (door === undefined || door.offers.includes(door.name)) return true
  return !isOfRoom(by) && (door.entries.includes(door.name) || ['handlers', 'routes'].includes(door.name))
}

/** Returns whether the door of its folder names a file. */
export function isNamedByDoor(path: string): boolean {
  const door = doorOf(path)
  return door !== undefined && [...door.offers, ...door.entries].includes(door.name)
}

function doorOf(path: string): { name: string; offers: string[]; entries: string[] } | undefined {
  const place = placeOf(path)
  if (!place || place.box.endsWith('.ts')) return undefined
  const { offers = '', entries = '' } = rooms[place.room][place.box] ?? {}
  const name = path.slice(`api/${place.room}/${place.box}/`.length, -'.ts'.length)
  return { name, offers: offers.split(' '), entries: entries.split(' ') }
}

/**
 * Returns the files of rooms of under 30 lines that only one file beside them imports, no test either. A verb, which its
 * handlers import, and a table of states have a file of their own however short they are, and so has what a child process reads.
 */
export function smallParts(modules: readonly Module[]): string[] {
  const importers = new Map<string, string[]>()
  for (const { path, imports } of modules)
    for (const target of imports) importers.set(target, [...(importers.get(target) ?? []), path])
  const isSmall = ({ path, text }: Module) => {
    const [by = '', ...others] = importers.get(path) ?? []
    if (others.length > 0 || dirname(by) !== dirname(path)) return false
    return text.split('\n').length <= SMALL_LINES && !/\/(handlers|child)\.ts$/.test(by) && !path.endsWith('/states.ts')
  }
  return modules.filter((module) => placeOf(module.path) && isSmall(module)).map(({ path }) => path)
}

function printTable(): void {
  const modules = readModules()
  const product = modules.filter(({ path }) => !path.startsWith('test/'))
  const ofRooms = modules.filter(({ path }) => isOfRoom(path))
  const arrows = arrowsOf(product)
  const outside = [...importedFromOutside(product)]
  const byRooms = outside.filter(([, importers]) => importers.some(isOfRoom))
  const share = (count: number) => `${count} of ${ofRooms.length} (${Math.round((100 * count) / ofRooms.length)}%)`
  const lists = product.filter(
    ({ path, text }) =>
      path.startsWith('api/') && !/^api\/(workspace\/decisions|trading)\//.test(path) && NAMES_DECISIONS.test(text),
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
