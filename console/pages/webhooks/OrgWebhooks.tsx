import { useState } from 'react'
import { useAll } from '../../data/all.ts'
import { useChange, useList } from '../../data/queries.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/forms/Button.tsx'
import { Field } from '../../ui/forms/Field.tsx'
import { typed } from '../../ui/forms/Form.tsx'
import { Problem } from '../../ui/forms/Problem.tsx'
import { SecretForm } from '../../ui/forms/SecretForm.tsx'
import { Section } from '../../ui/layout/Section.tsx'
import { Table } from '../../ui/layout/Table.tsx'
import { EventTypePicker } from './internal/EventTypePicker.tsx'
import { OrgWebhook } from './internal/OrgWebhook.tsx'
import { WebhookState } from './WebhookState.tsx'

/** The webhooks of an org. */
export function OrgWebhooks({ org }: { org: string }) {
  const { items, error, more } = useList('listOrgWebhooks', { params: { org } })
  const update = useChange('updateOrgWebhook', ['listOrgWebhooks'])
  const [isNew, setNew] = useState(false)
  const [opened, setOpened] = useState<string>()
  const shown = items?.find(({ id }) => id === opened)
  return (
    <Section title={t('Webhooks')} actions={<Button onClick={() => setNew(true)}>{t('New webhook')}</Button>}>
      <Problem error={update.error} />
      <Table
        caption={t('Webhooks of the org')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ id }) => id}
        empty={<p>{t('No webhooks yet. A webhook posts events of the org, signed, to a URL of yours.')}</p>}
        columns={[
          { title: 'URL', cell: ({ url }) => url },
          {
            title: t('State'),
            cell: (webhook) => <WebhookState webhook={webhook} />,
          },
          { title: t('Events'), cell: ({ events }) => events.join(', ') },
          {
            title: t('Change'),
            cell: ({ id, status, url }) => (
              <span className="row">
                <Button aria-label={t('Deliveries to {url}', { url })} onClick={() => setOpened(id)}>
                  {t('Deliveries')}
                </Button>
                <Button
                  aria-label={
                    status === 'active' ? t('Pause {name}', { name: url }) : t('Resume {name}', { name: url })
                  }
                  onClick={() =>
                    update.mutate({ params: { org, id }, body: { status: status === 'active' ? 'paused' : 'active' } })
                  }
                >
                  {status === 'active' ? t('Pause') : t('Resume')}
                </Button>
              </span>
            ),
          },
        ]}
      />
      {shown ? <OrgWebhook org={org} webhook={shown} onClose={() => setOpened(undefined)} /> : null}
      {isNew ? <CreateOrgWebhook org={org} onClose={() => setNew(false)} /> : null}
    </Section>
  )
}

/** Creates a webhook of an org for events of some types and spaces, and shows its secret once. */
function CreateOrgWebhook({ org, onClose }: { org: string; onClose: () => void }) {
  const { data: spaces = [] } = useAll('listSpaces', { params: { org } })
  const create = useChange('createOrgWebhook', ['listOrgWebhooks'])
  const submit = (form: FormData) => {
    const chosen = form.getAll('spaces').map(String)
    const body = {
      url: typed(form, 'url'),
      events: form.getAll('events').map(String),
      ...(chosen.length > 0 ? { spaces: chosen } : {}),
    }
    return create.mutateAsync({ params: { org }, body })
  }
  return (
    <SecretForm
      title={t('New webhook')}
      submit={t('Create webhook')}
      about={t('Check the signature of each delivery with this secret.')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Field label="URL" name="url">
        {(props) => <input {...props} type="url" required placeholder="https://example.com/hook" />}
      </Field>
      <EventTypePicker name="events" isOfOrg />
      <fieldset>
        <legend>{t('Spaces; without a choice, all of them')}</legend>
        {spaces.map(({ id, name }) => (
          <label key={id} className="row">
            <input type="checkbox" name="spaces" value={id} />
            {name}
          </label>
        ))}
      </fieldset>
    </SecretForm>
  )
}
