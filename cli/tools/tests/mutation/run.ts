import { parseArgs } from 'node:util'
import { addUp, type Totals } from '../totals.ts'
import { isOfARoom, ROOMS } from './internal/typescript/rooms.ts'
import { runRoomMutation } from './internal/typescript/run.ts'

/**
 * Puts mistakes into the code, one at a time, which its tests must notice. `args` name rooms (`payments`) and
 * files of a room (`audit/holds.ts`); `--every <n>` takes every n-th mistake. Throws an Error for an unknown
 * name.
 */
export async function runMutationTests(args: string[]): Promise<Totals> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { every: { type: 'string', default: '1' } },
  })
  const every = Number(values.every)
  if (!Number.isInteger(every) || every < 1)
    throw new Error(`--every takes a whole number from 1, not ${values.every}.`)
  const isWhole = positionals.length === 0
  const unknown = positionals.find((name) => !isOfARoom(name))
  if (unknown !== undefined)
    throw new Error(`${unknown} is no room and no file of one. Rooms: ${Object.keys(ROOMS).join(', ')}.`)
  const totals: Totals[] = []
  for (const [name, room] of Object.entries(ROOMS)) {
    const files = positionals.filter((path) => path.endsWith('.ts') && isOfARoom(path, name))
    if (isWhole || files.length > 0 || positionals.includes(name))
      totals.push(await runRoomMutation(name, room, { files: positionals.includes(name) ? [] : files, every }))
  }
  return addUp(totals)
}
