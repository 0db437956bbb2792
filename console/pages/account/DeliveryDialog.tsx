import type { Body } from '../../data/queries.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Hash } from '../../ui/Hash.tsx'
import { State } from '../../ui/State.tsx'
import { Time } from '../../ui/Time.tsx'
import styles from './Text.module.css'

interface Props {
  delivery: Body<'listWebhookDeliveries'>['deliveries'][number]
  onClose: () => void
}

/** One delivery: how its last attempt went, and what the receiver answered. */
export function DeliveryDialog({ delivery, onClose }: Props) {
  return (
    <Dialog title={delivery.event_type} onClose={onClose}>
      <Facts
        facts={[
          ['State', <State key="state" name={delivery.status} />],
          ['Event', <Hash key="event" value={delivery.event_id} />],
          ['Delivery', <Hash key="delivery" value={delivery.id} />],
          ['Attempts since it was last replayed', delivery.attempts],
          ['Last attempt', delivery.last_attempt_at ? <Time key="last" at={delivery.last_attempt_at} /> : 'none yet'],
          ['Next attempt', delivery.next_attempt_at ? <Time key="next" at={delivery.next_attempt_at} /> : undefined],
          ['It took', delivery.latency_ms === undefined ? undefined : `${delivery.latency_ms} ms`],
          ['Answer', delivery.response_status],
          ['No answer', delivery.failure?.replaceAll('_', ' ')],
        ]}
      />
      {delivery.response_body ? (
        <>
          <h3>What it answered, the first 1,000 bytes</h3>
          <pre className={styles.text}>{delivery.response_body}</pre>
        </>
      ) : null}
    </Dialog>
  )
}
