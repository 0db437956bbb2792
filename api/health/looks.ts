/** How long whoever asks for readiness waits for a part of the service. */
const PATIENCE_MS = 1_300

/** A part of the service has not answered in time. */
export class NoAnswer extends Error {}

/**
 * Returns a look at a part of the service that throws NoAnswer when the part does not answer in time. Anyone
 * may look, so what was seen is kept for `keptMs`, and a part that hangs is asked once: whoever looks
 * meanwhile waits for the same answer.
 */
export function openLook<Part extends object, Seen, Details extends unknown[] = []>(
  see: (part: Part, ...details: Details) => Promise<Seen>,
  { keptMs = 0, patienceMs = PATIENCE_MS }: { keptMs?: number; patienceMs?: number } = {},
): (part: Part, ...details: Details) => Promise<Seen> {
  const last = new WeakMap<Part, { seen: Promise<Seen>; endedMs: number | undefined }>()
  return (part, ...details) => {
    const known = last.get(part)
    const isCurrent = known && (known.endedMs === undefined || performance.now() - known.endedMs < keptMs)
    return inTime(isCurrent ? known.seen : begin(part, details), patienceMs)
  }

  function begin(part: Part, details: Details): Promise<Seen> {
    const look: { seen: Promise<Seen>; endedMs: number | undefined } = {
      seen: see(part, ...details),
      endedMs: undefined,
    }
    const end = () => {
      look.endedMs = performance.now()
    }
    look.seen.then(end, end)
    last.set(part, look)
    return look.seen
  }
}

async function inTime<Seen>(seen: Promise<Seen>, patienceMs: number): Promise<Seen> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new NoAnswer('it does not answer')), patienceMs)
  try {
    return await Promise.race([seen, late])
  } finally {
    clearTimeout(timer)
  }
}
