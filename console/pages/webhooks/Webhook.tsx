import { useParams } from 'wouter'
import { useRead } from '../../data/queries.ts'
import { urnOf } from '../../data/urn.ts'
import { t } from '../../texts/texts.ts'
import { Problem } from '../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../ui/layout/DescriptionList.tsx'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import { Section } from '../../ui/layout/Section.tsx'
import { Hash } from '../../ui/values/Hash.tsx'
import { Time } from '../../ui/values/Time.tsx'
import { useActor } from '../account/actor/useActor.ts'
import { WebhookActions } from './WebhookActions.tsx'
import { WebhookDeliveries } from './WebhookDeliveries.tsx'
import { WebhookState } from './WebhookState.tsx'

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
