import { useState } from 'react'
import { Link } from 'wouter'
import { useChange, useList, useRead } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { typed } from '../../../ui/forms/Form.tsx'
import { SecretForm } from '../../../ui/forms/SecretForm.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { State } from '../../../ui/values/State.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { ActorSelect } from '../../account/actor/ActorSelect.tsx'
import { useActor } from '../../account/actor/useActor.ts'
import { EventTypePicker } from './EventTypePicker.tsx'

/** The webhooks of the person or of one of their agents: where events are sent to. */
export function Webhooks() {
  const [actor, setActor] = useActor()
  const { items, error, more } = useList('listWebhooks', actor ? { agent: actor } : {})
  const [isCreating, setCreating] = useState(false)
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      {t('Create a webhook')}
    </Button>
  )
  const search = actor ? `?agent=${actor.split(':')[2]}` : ''
  return (
    <>
      <PageHead title={t('Webhooks')} actions={items?.length ? create : undefined} />
      <ActorSelect label={t('Webhooks of')} value={actor} onChange={setActor} />
      <Table
        caption={t('Webhooks')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ urn }) => urn.body}
        empty={
          <>
            <p>
              {t(
                'A webhook posts each event, signed, to an address of yours, and again until your receiver accepts it.',
              )}
            </p>
            {create}
          </>
        }
        columns={[
          {
            title: t('Address'),
            cell: ({ urn, url }) => <Link href={`${pathTo('webhook', { id: urn.body })}${search}`}>{url}</Link>,
          },
          { title: t('State'), cell: ({ status }) => <State name={status} /> },
          { title: t('Events'), isLabelled: true, cell: ({ event_types }) => event_types.join(', ') },
          { title: t('Created'), isLabelled: true, cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
      {isCreating ? <CreateWebhook actor={actor} onClose={() => setCreating(false)} /> : null}
    </>
  )
}

/** Creates a webhook, and shows the secret of its signatures this once. */
function CreateWebhook({ actor, onClose }: { actor: string | undefined; onClose: () => void }) {
  const { data: config } = useRead('getPublicConfig', {})
  const create = useChange('createWebhook', ['listWebhooks'])
  const submit = (form: FormData) => {
    const body = { url: typed(form, 'url'), event_types: form.getAll('event_types').map(String) }
    return create.mutateAsync({ ...(actor ? { agent: actor } : {}), body })
  }
  const targets = config?.webhooks.local_targets
    ? t('In this sandbox it may be http, on this machine, and on any port.')
    : t('https, on port 443 or 8443, at a public address.')
  return (
    <SecretForm
      title={t('Create a webhook')}
      submit={t('Create the webhook')}
      about={t('Check the signature of each delivery with this secret.')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Field label={t('Address')} name="url" hint={targets}>
        {(props) => <input {...props} required type="url" placeholder="https://" />}
      </Field>
      <EventTypePicker name="event_types" isOfOrg={false} />
    </SecretForm>
  )
}
