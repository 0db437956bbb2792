import { useChange, useList, useRead } from '../../data/queries.ts'
import { t } from '../../texts/texts.ts'
import { Section } from '../../ui/layout/Section.tsx'
import { DeliveryDialog } from './DeliveryDialog.tsx'
import { DeliveryTable } from './DeliveryTable.tsx'

/** The deliveries to somebody's webhook, for an operator. */
export function AdminDeliveries({ urn, url }: { urn: string; url: string }) {
  const list = useList('listAnyWebhookDeliveries', { params: { urn } }, { pollMs: 5_000 })
  const replay = useChange('replayAnyWebhookDelivery', ['listAnyWebhookDeliveries'])
  return (
    <Section title={t('Deliveries to {url}', { url })}>
      <DeliveryTable
        list={list}
        empty={t('Nothing has been sent to it yet.')}
        replay={(id) => replay.mutateAsync({ params: { urn, id } })}
        show={({ id, event_type }, onClose) => <Shown params={{ urn, id }} title={event_type} onClose={onClose} />}
      />
    </Section>
  )
}

interface ShownProps {
  params: { urn: string; id: string }
  title: string
  onClose: () => void
}

function Shown({ params, title, onClose }: ShownProps) {
  const { data, error } = useRead('getAnyWebhookDelivery', { params })
  return <DeliveryDialog title={title} delivery={data} error={error} onClose={onClose} />
}
