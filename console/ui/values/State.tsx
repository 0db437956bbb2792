import { word } from '../../texts/words.ts'
import styles from './State.module.css'

/** The glyph and colour of each state of an order, a task, a dispute or a payout. */
const MOODS: Record<string, { glyph: string; mood: string | undefined }> = {
  placed: { glyph: '○', mood: styles.placed },
  open: { glyph: '○', mood: styles.placed },
  pending: { glyph: '○', mood: styles.placed },
  funded: { glyph: '◐', mood: styles.funded },
  claimed: { glyph: '◐', mood: styles.funded },
  submitted: { glyph: '◐', mood: styles.funded },
  in_flight: { glyph: '▶', mood: styles.flight },
  in_progress: { glyph: '▶', mood: styles.flight },
  delivered: { glyph: '◆', mood: styles.delivered },
  awaiting: { glyph: '◆', mood: styles.delivered },
  accepted: { glyph: '✓', mood: styles.accepted },
  approved: { glyph: '✓', mood: styles.accepted },
  ready: { glyph: '✓', mood: styles.accepted },
  finished: { glyph: '✓', mood: styles.accepted },
  running: { glyph: '▶', mood: styles.flight },
  undone: { glyph: '–', mood: styles.cancelled },
  confirmed: { glyph: '✓', mood: styles.accepted },
  final: { glyph: '●', mood: styles.final },
  active: { glyph: '●', mood: styles.final },
  rejected: { glyph: '✕', mood: styles.rejected },
  failed: { glyph: '✕', mood: styles.rejected },
  blocked: { glyph: '▮', mood: styles.rejected },
  cancelled: { glyph: '–', mood: styles.cancelled },
  withdrawn: { glyph: '–', mood: styles.cancelled },
  replaced: { glyph: '–', mood: styles.cancelled },
  closed: { glyph: '–', mood: styles.cancelled },
  ordered: { glyph: '✓', mood: styles.accepted },
  expired: { glyph: '–', mood: styles.cancelled },
  archived: { glyph: '–', mood: styles.cancelled },
  stopped: { glyph: '▮', mood: styles.rejected },
  infected: { glyph: '▮', mood: styles.rejected },
  deactivated: { glyph: '–', mood: styles.cancelled },
  disabled: { glyph: '✕', mood: styles.rejected },
  retrying: { glyph: '▶', mood: styles.flight },
  dead_letter: { glyph: '✕', mood: styles.rejected },
  paused: { glyph: '–', mood: styles.cancelled },
  disputed: { glyph: '⚑', mood: styles.disputed },
}

interface Props {
  name: string
  /** The word, where it is not the name itself. */
  label?: string
}

/** A state: colour, glyph and word, so that none of them carries it alone. */
export function State({ name, label = word(name) }: Props) {
  const { glyph, mood } = MOODS[name] ?? { glyph: '○', mood: styles.placed }
  return (
    <span className={`${styles.state} ${mood}`}>
      <span aria-hidden="true">{glyph}</span> {label}
    </span>
  )
}
