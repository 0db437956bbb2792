import { useEffect, useState } from 'react'
import type { MarketEvent } from '../../../sdk/events.ts'
import { market } from '../../data/market.ts'
import { useRead } from '../../data/queries.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/forms/Button.tsx'
import { Field } from '../../ui/forms/Field.tsx'
import { Problem } from '../../ui/forms/Problem.tsx'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import { EventList } from './EventList.tsx'
import styles from './Events.module.css'
import { StreamExample } from './StreamExample.tsx'

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
