import { useState } from 'react'
import { useChange, useList, useRead } from '../../../data/queries.ts'
import { urnText } from '../../../data/urn.ts'
import { OperatorOnly } from '../../../session/OperatorOnly.tsx'
import { t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { Hash } from '../../../ui/values/Hash.tsx'
import { SwitchWebhook } from '../SwitchWebhook.tsx'
import { WebhookState } from '../WebhookState.tsx'
import { DeliveryDialog } from './DeliveryDialog.tsx'
import { DeliveryTable } from './DeliveryTable.tsx'

/** The webhooks of all accounts, with their deliveries. */
export function AdminWebhooks() {
  return (
    <OperatorOnly>
      <PageHead
        title={t('All webhooks')}
        about={t('Webhooks of all accounts, to help owners who do not receive their events.')}
      />
      <List />
    </OperatorOnly>
  )
}

function List() {
  const { items, error, more } = useList('listAllWebhooks', {})
  const [shown, setShown] = useState<{ urn: string; url: string }>()
  return (
    <>
      <Section title={t('Webhooks')}>
        <Table
          caption={t('Webhooks of everybody')}
          rows={items}
          error={error}
          more={more}
          keyOf={({ urn }) => urn.body}
          empty={<p>{t('Nobody has a webhook yet.')}</p>}
          columns={[
            { title: t('Address'), cell: ({ url }) => <strong>{url}</strong> },
            { title: t('State'), cell: (webhook) => <WebhookState webhook={webhook} /> },
            {
              title: t('Owner'),
              isLabelled: true,
              cell: ({ owner_urn: owner }) => (
                <>
                  {word(owner.prefix)} <Hash value={owner.body} />
                </>
              ),
            },
            { title: t('Events'), isLabelled: true, cell: ({ event_types }) => event_types.join(', ') },
            {
              title: t('Change'),
              cell: ({ urn, url, status }) => (
                <div className="row">
                  <Button onClick={() => setShown({ urn: urnText(urn), url })}>{t('Its deliveries')}</Button>
                  <SwitchWebhook urn={urnText(urn)} url={url} isDisabled={status === 'disabled'} />
                </div>
              ),
            },
          ]}
        />
      </Section>
      {shown ? <AdminDeliveries key={shown.urn} {...shown} /> : null}
    </>
  )
}

/** The deliveries to somebody's webhook, for an operator. */
function AdminDeliveries({ urn, url }: { urn: string; url: string }) {
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
