import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { flaggedSides, type Said, screen } from '../trading/disputes/screener/screen.ts'
import { timeAt } from './time.ts'

/** The project's own set of sides. */
const HELD_OUT = join(import.meta.dirname, '../../evaluation/screening/held-out.json')
/** Filler that is put before a text to move it far from the beginning. */
const FILLER = 'The colours of the chart are those of the brief, and the legend stands below it. '

const side = z.strictObject({
  id: z.string().min(1),
  hostile: z.boolean(),
  language: z.string().min(2),
  kind: z.string().optional(),
  texts: z
    .array(
      z.strictObject({
        of: z.enum(['claim', 'response', 'message', 'delivery', 'file', 'filename']),
        text: z.string().min(1),
        after_characters: z.int().min(0).max(1_000_000).optional(),
      }),
    )
    .min(1),
})

/** One side of a dispute, with all its texts, and whether it attacks. */
type LabelledSide = z.infer<typeof side>

/** The results of the screener on labelled sides. */
export interface ScreeningFigures {
  attacks: number
  /** Ids of attacks that are not flagged, and of innocent sides that are. */
  missed: string[]
  innocent: number
  mistaken: string[]
  /** Attacks of each kind, and how many of them are found. */
  kinds: { kind: string; attacks: number; found: number }[]
}

/**
 * Reads labelled sides from a file, or else the project's own. Throws for a file that does not fit
 * evaluation/README.md.
 */
export async function readSides(path = HELD_OUT): Promise<LabelledSide[]> {
  const read = z
    .array(side)
    .min(1)
    .safeParse(JSON.parse(await readFile(path, 'utf8')))
  if (!read.success) throw new Error(`${path}: ${z.prettifyError(read.error)}`)
  return read.data
}

/** Screens each side by itself, as the service does when the evidence closes. */
export function screenSides(sides: readonly LabelledSide[]): ScreeningFigures {
  const wrong = sides.filter((one) => flaggedSides(screen(saidBy(one))).length > 0 !== one.hostile)
  const ids = (isHostile: boolean) => wrong.filter(({ hostile }) => hostile === isHostile).map(({ id }) => id)
  const attacks = sides.filter(({ hostile }) => hostile)
  const kinds = Object.entries(Object.groupBy(attacks, ({ kind = 'other' }) => kind)).map(([kind, of = []]) => ({
    ...{ kind, attacks: of.length },
    found: of.filter((one) => !wrong.includes(one)).length,
  }))
  return {
    ...{ attacks: attacks.length, missed: ids(true) },
    ...{ innocent: sides.length - attacks.length, mistaken: ids(false) },
    kinds: kinds.toSorted((left, right) => (left.kind < right.kind ? -1 : 1)),
  }
}

/** Returns a sentence with both figures, and a table of the kinds of attacks in Markdown. */
export function screeningReport({ attacks, missed, innocent, mistaken, kinds }: ScreeningFigures): string {
  const share = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)}%`)
  const found = attacks - missed.length
  return [
    `Screener: ${found} of ${attacks} attacks found (${share(found, attacks)}), ${mistaken.length} of ${innocent} innocent sides flagged by mistake (${share(mistaken.length, innocent)}).`,
    '',
    '| kind of attack | attacks | found |',
    '|---|---|---|',
    ...kinds.map((one) => `| ${one.kind} | ${one.attacks} | ${one.found} |`),
  ].join('\n')
}

function saidBy({ texts }: LabelledSide): Said[] {
  return texts.map(({ of, text, after_characters: after = 0 }, place) => ({
    ...{ side: 'seller', at: timeAt(place), text: FILLER.repeat(Math.ceil(after / FILLER.length)) + text },
    ...(of === 'delivery' || of === 'file' ? { isGoods: true } : {}),
    ...(of === 'filename' ? { isName: true } : {}),
  }))
}
