import { useChange, useList, useRead } from '../../data/queries.ts'
import { t } from '../../texts/texts.ts'
import { Section } from '../../ui/layout/Section.tsx'
import { DeliveryDialog } from './DeliveryDialog.tsx'
import { DeliveryTable } from './DeliveryTable.tsx'
import type { WebhookInput } from './WebhookActions.tsx'

/** The deliveries to a webhook of the person or of their agent. */
export function WebhookDeliveries({ input }: { input: WebhookInput }) {
  const list = useList('listWebhookDeliveries', input, { pollMs: 5_000 })
  const replay = useChange('replayWebhookDelivery', ['listWebhookDeliveries'])
  return (
    <Section title={t('Deliveries')}>
      <DeliveryTable
        list={list}
        empty={t('Nothing has been sent yet. Send a test to see whether your receiver answers.')}
        replay={(id) => replay.mutateAsync({ ...input, params: { ...input.params, id } })}
        show={({ id, event_type }, onClose) => <Shown input={input} id={id} title={event_type} onClose={onClose} />}
      />
    </Section>
  )
}

interface ShownProps {
  input: WebhookInput
  id: string
  title: string
  onClose: () => void
}

function Shown({ input, id, title, onClose }: ShownProps) {
  const { data, error } = useRead('getWebhookDelivery', { ...input, params: { ...input.params, id } })
  return <DeliveryDialog title={title} delivery={data} error={error} onClose={onClose} />
}
