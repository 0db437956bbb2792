import type { Actor } from '../../../context.ts'
import type { StreamSink } from '../../http/streams/stream.ts'
import { writeCursor } from '../cursor.ts'
import type { Envelope, EventFilter, LoggedEvent, LogPart } from '../log.ts'
import { matchesSubject } from '../subjects.ts'

/**
 * The most live events that wait while a follower catches up; beyond that it continues reading from the log.
 */
const MAX_WAITING = 1_000

/** Reads the next part of the log, as far as a follower may see it. */
type ReadPart = (filter: EventFilter, after: bigint) => Promise<LogPart>

/** A follower of the log: the caller, the events, the starting place and the sink. */
export interface FollowerOptions {
  actor: Actor
  filter: EventFilter
  from: bigint
  /** A recent end of the log: `from` or behind it. */
  end: bigint
  epoch: string
  sink: StreamSink
  /** Called for each event that was sent. */
  onSent: (event: Envelope) => void
}

/**
 * One receiver of the log. It first reads the existing events, then takes the events that the feed offers:
 * everything after its place, in order and once.
 */
export class Follower {
  readonly actor: Actor
  readonly filter: EventFilter
  readonly sink: StreamSink
  beatAt = performance.now()
  readonly #onSent: FollowerOptions['onSent']
  readonly #epoch: string
  #place: bigint
  /** The events offered while it catches up. Undefined once it is live. */
  #waiting: LoggedEvent[] | undefined = []

  constructor({ actor, filter, from, epoch, sink, onSent }: FollowerOptions) {
    this.actor = actor
    this.filter = filter
    this.sink = sink
    this.#onSent = onSent
    this.#place = from
    this.#epoch = epoch
  }

  /**
   * Sends everything up to now, then the events offered meanwhile. The feed must start offering before this
   * is called.
   */
  async catchUp(read: ReadPart): Promise<void> {
    do {
      this.#waiting = []
      await this.#readOn(read)
      // More events were offered than may wait: they are read from the log.
    } while (this.#waiting.length >= MAX_WAITING && !this.sink.closed.aborted)
    const waiting = this.#waiting
    this.#waiting = undefined
    for (const event of waiting) this.#send(event)
  }

  /** Takes an event if it is new in the log and visible to the follower. */
  offer(event: LoggedEvent): void {
    if (this.#waiting === undefined) this.#send(event)
    else if (this.#waiting.length < MAX_WAITING) this.#waiting.push(event)
  }

  /** Shows the receiver how far the log was read, so that it can resume there even if no event was for it. */
  beat(read: bigint): void {
    if (this.#waiting === undefined && this.#place < read) this.#place = read
    this.sink.beat(writeCursor(this.#epoch, this.#place))
  }

  async #readOn(read: ReadPart): Promise<void> {
    for (let hasMore = true; hasMore; ) {
      await this.sink.ready()
      if (this.sink.closed.aborted) return
      const part = await read(this.filter, this.#place)
      for (const event of part.events) this.#send(event)
      this.#place = part.end
      hasMore = part.hasMore
    }
  }

  #send({ place, visibleTo, envelope }: LoggedEvent): void {
    if (place <= this.#place) return
    this.#place = place
    // As in `readVisible`: `*` does not include events that are visible only through an org.
    const isOfOrg = !visibleTo.some((account) => this.filter.accounts.includes(account))
    if (!matchesSubject(this.filter.subjects, { name: envelope.event_type, isOfOrg })) return
    this.sink.send({
      place: writeCursor(this.#epoch, place),
      type: envelope.event_type,
      data: JSON.stringify(envelope),
    })
    this.#onSent(envelope)
  }
}
