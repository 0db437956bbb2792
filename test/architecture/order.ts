/**
 * The folders of a room in their order: each may import those before it. With each its doors, the files that others may
 * import: all else is its own, and of the folder it is in. `.` are the files at the top of the room. A folder that is not named
 * belongs to the one it is in.
 */
export type Room = Readonly<Record<string, readonly string[]>>

type Rooms = Readonly<Record<string, Room>>

interface Imports {
  path: string
  imports: readonly string[]
}

/** The folder of a room that a file is in. */
interface Home {
  id: string
  room: string
  place: number
  doors: readonly string[]
}

/**
 * Returns what does not fit the rooms, in words: an import of a folder that comes later, an import past a door, a file in
 * no folder, a door that nobody uses.
 */
export function findDisorder(rooms: Rooms, files: readonly Imports[]): string[] {
  const homes = new Map(files.map(({ path }) => [path, homeOf(rooms, path)]))
  const used = new Set<string>()
  const faults = files.flatMap(({ path, imports }) =>
    imports.flatMap((imported) => {
      const [from, to] = [homes.get(path), homes.get(imported)]
      if (!to || isWithin(from, to)) return from && to ? above(from, to, path, imported) : []
      used.add(imported)
      const past = to.doors.includes(imported) ? [] : [`${path} imports ${imported}, which is no door`]
      return [...above(from, to, path, imported), ...past]
    }),
  )
  const homeless = files.filter(({ path }) => rooms[roomOf(path)] && !homes.get(path)).map(({ path }) => path)
  return [
    ...faults,
    ...homeless.map((path) => `${path} is in no folder of its room`),
    ...doorsOf(rooms)
      .filter((door) => !used.has(door))
      .map((door) => `${door} is a door that nobody uses`),
  ]
}

function above(from: Home | undefined, to: Home, path: string, imported: string): string[] {
  const isAbove = from?.room === to.room && from.place < to.place
  return isAbove ? [`${path} imports ${imported}, which is above it`] : []
}

function isWithin(from: Home | undefined, to: Home): boolean {
  return from !== undefined && `${to.id}/`.startsWith(`${from.id}/`)
}

function homeOf(rooms: Rooms, path: string): Home | undefined {
  const room = roomOf(path)
  const folders = Object.keys(rooms[room] ?? {})
  const rest = path.slice(room.length + 1)
  const folder = rest.includes('/')
    ? folders.filter((name) => rest.startsWith(`${name}/`)).sort((a, b) => b.length - a.length)[0]
    : folders.find((name) => name === '.')
  if (folder === undefined) return undefined
  const doors = (rooms[room]?.[folder] ?? []).map((door) => pathOf(room, folder, door))
  return { id: `${room}/${folder}`, room, place: folders.indexOf(folder), doors }
}

function roomOf(path: string): string {
  return path.slice(0, path.indexOf('/'))
}

function pathOf(room: string, folder: string, door: string): string {
  return folder === '.' ? `${room}/${door}` : `${room}/${folder}/${door}`
}

function doorsOf(rooms: Rooms): string[] {
  return Object.entries(rooms).flatMap(([room, folders]) =>
    Object.entries(folders).flatMap(([folder, doors]) => doors.map((door) => pathOf(room, folder, door))),
  )
}
