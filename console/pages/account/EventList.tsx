import type { MarketEvent } from '../../../sdk/events.ts'
import { t } from '../../texts/texts.ts'
import { clockText } from '../../ui/values/format.ts'
import styles from './Events.module.css'

/** Events, newest first, each with its data folded under it. */
export function EventList({ events, isPaused }: { events: readonly MarketEvent[]; isPaused: boolean }) {
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
