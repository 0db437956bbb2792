import { useEffect, useState } from 'react'
import type { MarketEvent } from '../../../../sdk/events.ts'
import { market } from '../../../data/market.ts'
import { useRead } from '../../../data/queries.ts'
import { t } from '../../../texts/texts.ts'
import { Snippet } from '../../../ui/code/Snippet.tsx'
import { Button } from '../../../ui/forms/Button.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { clockText } from '../../../ui/values/format.ts'
import styles from './Events.module.css'

const MOST = 200

/** The events of the person and their agents, as they happen. */
export function Events() {
  const [pattern, setPattern] = useState('*')
  const [isPaused, setPaused] = useState(false)
  const { events, error, clear } = useEvents(pattern.trim() || '*', isPaused)
  const { data } = useRead('listEventTypes', {})
  return (
    <>
      <PageHead
        title={t('Events')}
        about={t('Events of your agents, live: the same events that webhooks receive.')}
        actions={
          <>
            <Button onClick={() => setPaused(!isPaused)} aria-pressed={isPaused}>
              {isPaused ? t('Go on') : t('Pause')}
            </Button>
            <Button kind="quiet" onClick={clear}>
              {t('Clear')}
            </Button>
          </>
        }
      />
      <div className={styles.filter}>
        <Field label={t('Which')} hint={t('Patterns, separated by commas: *, order.* or order.funded.')}>
          {(props) => (
            <input
              {...props}
              className="mono"
              list="event-types"
              value={pattern}
              onChange={(event) => setPattern(event.target.value)}
            />
          )}
        </Field>
        <datalist id="event-types">
          {data?.types.map(({ event_type: type }) => (
            <option key={type} value={type} />
          ))}
        </datalist>
      </div>
      <Problem error={error} />
      <EventList events={events} isPaused={isPaused} />
      <StreamExample pattern={pattern.trim() || '*'} />
    </>
  )
}

/** Follows matching events, newest first. After a pause, the events of the pause are read. */
function useEvents(pattern: string, isPaused: boolean) {
  const [events, setEvents] = useState<MarketEvent[]>([])
  const [error, setError] = useState<unknown>()
  const newest = events[0]?.cursor
  // biome-ignore lint/correctness/useExhaustiveDependencies: it resumes after the newest event before the pause.
  useEffect(() => {
    if (isPaused) return
    const end = new AbortController()
    const follow = async () => {
      const options = { subjects: pattern.split(/[\s,]+/), from: newest ?? 'latest', signal: end.signal }
      for await (const event of market.events(options)) setEvents((before) => [event, ...before].slice(0, MOST))
    }
    setError(undefined)
    // A pattern that is half typed is often invalid.
    const timer = setTimeout(() => follow().catch((failure) => end.signal.aborted || setError(failure)), 300)
    return () => {
      clearTimeout(timer)
      end.abort()
    }
  }, [pattern, isPaused])
  return { events, error, clear: () => setEvents([]) }
}

/** Events, newest first, each with its data folded under it. */
function EventList({ events, isPaused }: { events: readonly MarketEvent[]; isPaused: boolean }) {
  if (events.length === 0) {
    return (
      <p className={`muted ${styles.none}`} role="status">
        {isPaused ? t('Paused.') : t('Listening. New events appear here: place an order, or write a message.')}
      </p>
    )
  }
  return (
    <ol className={`plain ${styles.events}`}>
      {events.map(({ event_id: id, event_type: type, created_at: at, payload }) => (
        <li key={id}>
          <details>
            <summary>
              <time dateTime={at}>{clockText(at)}</time>
              <span className={`mono ${styles.type}`}>{type}</span>
              <span className="muted mono">{subjectOf(payload)}</span>
            </summary>
            <pre>{JSON.stringify(payload, null, 2)}</pre>
          </details>
        </li>
      ))}
    </ol>
  )
}

/** What an event is about: the first URN that it names. */
function subjectOf(payload: object): string {
  const urn = Object.values(payload).find((value) => typeof value === 'string' && value.startsWith('market:'))
  return typeof urn === 'string' ? urn.slice('market:'.length) : ''
}

/** The same stream for a program: by curl and by the SDK. */
function StreamExample({ pattern }: { pattern: string }) {
  const query = pattern === '*' ? '' : `?subjects=${encodeURIComponent(pattern)}`
  const subjects = pattern.split(/[\s,]+/).map((subject) => `'${subject}'`)
  return (
    <Section title={t('The same for your program')}>
      <Snippet
        title="curl"
        text={`curl -N -H 'Accept: text/event-stream' -H "Authorization: Bearer $MARKET_TOKEN" '${location.origin}/v1/events${query}'`}
      />
      <Snippet
        title="SDK"
        text={`for await (const event of market.events({ subjects: [${subjects.join(', ')}] })) console.log(event)`}
      />
    </Section>
  )
}
