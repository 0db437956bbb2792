import { useParams } from 'wouter'
import { useChange, useList, useRead } from '../../../data/queries.ts'
import { urnOf } from '../../../data/urn.ts'
import { t } from '../../../texts/texts.ts'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../ui/layout/DescriptionList.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Hash } from '../../../ui/values/Hash.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { useActor } from '../../account/actor/useActor.ts'
import { WebhookState } from '../WebhookState.tsx'
import { DeliveryDialog } from './DeliveryDialog.tsx'
import { DeliveryTable } from './DeliveryTable.tsx'
import { WebhookActions, type WebhookInput } from './WebhookActions.tsx'

/** One webhook: its state, deliveries and details. */
export function Webhook() {
  const { id = '' } = useParams()
  const [actor] = useActor()
  const input = { params: { urn: urnOf('webhook', id) }, ...(actor ? { agent: actor } : {}) }
  const { data: webhook, error } = useRead('getWebhook', input, { pollMs: 10_000 })
  if (!webhook) return <Problem error={error} />
  return (
    <>
      <PageHead
        title={webhook.url}
        kicker={<WebhookState webhook={webhook} />}
        about={<Hash value={input.params.urn} label={t('Copy the webhook’s URN')} />}
        actions={<WebhookActions webhook={webhook} input={input} />}
      />
      <WebhookDeliveries input={input} />
      <Section title={t('Details')}>
        <DescriptionList
          items={[
            [t('Events'), webhook.event_types.join(', ')],
            [t('SHA-256 of its secret'), <Hash key="hash" value={webhook.secret_hash} />],
            [t('Created'), <Time key="created" at={webhook.created_at} />],
            [t('Changed'), <Time key="updated" at={webhook.updated_at} />],
          ]}
        />
      </Section>
    </>
  )
}

/** The deliveries to a webhook of the person or of their agent. */
function WebhookDeliveries({ input }: { input: WebhookInput }) {
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
