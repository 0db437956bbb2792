import { useList } from '../../../../data/queries.ts'
import { urnText } from '../../../../data/urn.ts'
import { t } from '../../../../texts/texts.ts'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { SwitchWebhook } from '../../../webhooks/SwitchWebhook.tsx'
import { WebhookState } from '../../../webhooks/WebhookState.tsx'

/** A person's webhooks, which an operator can disable. */
export function PersonWebhooks({ urn }: { urn: string }) {
  const { items, error, more } = useList('listAllWebhooks', { query: { owner_urn: urn } })
  return (
    <Section title={t('Webhooks')}>
      <Table
        caption={t('Webhooks')}
        rows={items}
        error={error}
        more={more}
        keyOf={(webhook) => webhook.urn.body}
        empty={<p>{t('No webhooks.')}</p>}
        columns={[
          { title: t('Address'), cell: ({ url }) => <strong>{url}</strong> },
          { title: t('State'), cell: (webhook) => <WebhookState webhook={webhook} /> },
          { title: t('Events'), isLabelled: true, cell: ({ event_types: types }) => types.join(', ') },
          {
            title: t('Change'),
            cell: (webhook) => (
              <SwitchWebhook urn={urnText(webhook.urn)} url={webhook.url} isDisabled={webhook.status === 'disabled'} />
            ),
          },
        ]}
      />
    </Section>
  )
}
