import type { Body } from '../../../data/queries.ts'
import { t } from '../../../texts/texts.ts'
import { Dialog } from '../../../ui/forms/Dialog.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../ui/layout/DescriptionList.tsx'
import { Hash } from '../../../ui/values/Hash.tsx'
import { State } from '../../../ui/values/State.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { Attempts } from './Attempts.tsx'

type Delivery = Body<'getWebhookDelivery'>
type Shown = Pick<Delivery, 'id' | 'event_id' | 'status' | 'attempt_log'> & { next_attempt_at?: string | null }

interface Props {
  title: string
  delivery: (Shown & Partial<Pick<Delivery, 'request_body' | 'response_body' | 'response_headers'>>) | undefined
  error: unknown
  onClose: () => void
}

/** A delivery to a webhook: the request, each attempt, and the receiver's answer. */
export function DeliveryDialog({ title, delivery, error, onClose }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Problem error={error} />
      {delivery ? (
        <>
          <DescriptionList
            items={[
              [t('State'), <State key="state" name={delivery.status} />],
              [t('Event'), <Hash key="event" value={delivery.event_id} />],
              [t('Delivery'), <Hash key="delivery" value={delivery.id} />],
              [
                t('Next attempt'),
                delivery.next_attempt_at ? <Time key="next" at={delivery.next_attempt_at} /> : undefined,
              ],
            ]}
          />
          <Attempts
            attempts={delivery.attempt_log}
            sent={delivery.request_body}
            answered={delivery.response_body}
            headers={delivery.response_headers}
          />
        </>
      ) : null}
    </Dialog>
  )
}
