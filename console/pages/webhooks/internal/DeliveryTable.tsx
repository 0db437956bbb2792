import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { State } from '../../../ui/values/State.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { AttemptChart } from './AttemptChart.tsx'
import type { LoggedAttempt } from './attemptBins.ts'

/** A delivery as a list shows it. */
interface ListedDelivery {
  id: string
  event_type: string
  status: string
  response_status?: number | null
  failure?: string | null
  attempt_log: readonly LoggedAttempt[]
  created_at: string
}

interface Props {
  list: { items: readonly ListedDelivery[] | undefined; error: unknown; more: (() => void) | undefined }
  empty: string
  /** Sends a delivery again that was delivered or given up. */
  replay: (id: string) => Promise<unknown>
  /** Opens one delivery. */
  show: (delivery: ListedDelivery, onClose: () => void) => ReactNode
}

/** The deliveries to a webhook, with the receiver's last answer to each, and their attempts over time. */
export function DeliveryTable({ list, empty, replay, show }: Props) {
  const [shown, setShown] = useState<ListedDelivery>()
  const { chosen, setChosen, again } = useResending(replay)
  const ended = list.items?.filter(isEnded).map(({ id }) => id) ?? []
  const sent = ended.filter((id) => chosen.includes(id))
  const choose = (ids: readonly string[], isChosen: boolean) =>
    setChosen((former) => [...without(former, ids), ...(isChosen ? ids : [])])
  return (
    <>
      <AttemptChart attempts={list.items?.flatMap(({ attempt_log }) => attempt_log) ?? []} />
      <Problem error={again.error} />
      {ended.length > 0 ? (
        <div className="row">
          <label className="choice">
            <input
              type="checkbox"
              checked={sent.length === ended.length}
              onChange={({ target }) => choose(ended, target.checked)}
            />
            {t('Select all listed')}
          </label>
          <Button disabled={sent.length === 0} busy={again.isPending} onClick={() => again.mutate(sent)}>
            {sent.length === 0 ? t('Resend') : t('Resend {sent}', { sent: sent.length })}
          </Button>
        </div>
      ) : null}
      <Table
        caption={t('Deliveries, newest first')}
        rows={list.items}
        error={list.error}
        more={list.more}
        keyOf={({ id }) => id}
        empty={<p>{empty}</p>}
        columns={[
          {
            title: t('Event'),
            cell: (delivery) => (
              <div className="row">
                <input
                  type="checkbox"
                  aria-label={t('Select {eventType} of {createdAt}', {
                    eventType: delivery.event_type,
                    createdAt: delivery.created_at,
                  })}
                  disabled={!isEnded(delivery)}
                  checked={chosen.includes(delivery.id) && isEnded(delivery)}
                  onChange={({ target }) => choose([delivery.id], target.checked)}
                />
                <Button kind="quiet" onClick={() => setShown(delivery)}>
                  <span className="mono">{delivery.event_type}</span>
                </Button>
              </div>
            ),
          },
          { title: t('State'), cell: ({ status }) => <State name={status} /> },
          {
            title: t('Answer'),
            isLabelled: true,
            cell: ({ response_status, failure }) => response_status ?? (failure ? word(failure) : '–'),
          },
          { title: t('Attempts'), isLabelled: true, isNumber: true, cell: ({ attempt_log }) => attempt_log.length },
          { title: t('Created'), isLabelled: true, cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
      {shown ? show(shown, () => setShown(undefined)) : null}
    </>
  )
}

/** Sends the chosen deliveries one after the other, and stops at the first that is refused. */
function useResending(replay: Props['replay']) {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const again = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids) {
        await replay(id)
        setChosen((former) => without(former, [id]))
      }
    },
  })
  return { chosen, setChosen, again }
}

function without(ids: readonly string[], others: readonly string[]): string[] {
  return ids.filter((id) => !others.includes(id))
}

function isEnded({ status }: ListedDelivery): boolean {
  return status === 'delivered' || status === 'dead_letter'
}
