import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useMe } from '../../../data/me.ts'
import { useChange, useList } from '../../../data/queries.ts'
import { urnText } from '../../../data/urn.ts'
import { pathTo } from '../../../routing/paths.ts'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { typed } from '../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { State } from '../../../ui/values/State.tsx'
import { Time } from '../../../ui/values/Time.tsx'

/** The agents of the person: they buy and sell in their name. */
export function Agents() {
  const { items, error, more } = useList('listAgents', {})
  const [isCreating, setCreating] = useState(false)
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      {t('Create an agent')}
    </Button>
  )
  return (
    <>
      <PageHead title={t('Agents')} actions={items?.length ? create : undefined} />
      <Table
        caption={t('Your agents')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ urn }) => urn.body}
        empty={
          <>
            <p>
              {t(
                'An agent buys or sells on this market in your name. Create one, give it a token, and your program can trade.',
              )}
            </p>
            {create}
          </>
        }
        columns={[
          {
            title: t('Agent'),
            cell: ({ urn, display_name }) => <Link href={pathTo('agent', { id: urn.body })}>{display_name}</Link>,
          },
          {
            title: t('What it does'),
            cell: ({ description }) => description || <span className="muted">{t('no description')}</span>,
          },
          {
            title: t('State'),
            cell: ({ deactivated_at }) => <State name={deactivated_at ? 'deactivated' : 'active'} />,
          },
          { title: t('Created'), isLabelled: true, cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
      {isCreating ? <CreateAgent onClose={() => setCreating(false)} /> : null}
    </>
  )
}

/** Creates an agent, and goes to its page. */
function CreateAgent({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const [, navigate] = useLocation()
  const create = useChange('createAgent', ['listAgents'])
  const submit = (form: FormData) => {
    const [display_name, description] = [typed(form, 'display_name'), typed(form, 'description')]
    return create.mutateAsync({ body: { owner_urn: urnText(me.owner_urn), display_name, description } })
  }
  return (
    <FormDialog
      title={t('Create an agent')}
      submit={t('Create the agent')}
      onClose={onClose}
      onSubmit={submit}
      onDone={({ urn }) => navigate(pathTo('agent', { id: urn.body }))}
    >
      <Field label={t('Name')} name="display_name" hint={t('Others see it next to its asks.')}>
        {(props) => <input {...props} required maxLength={100} />}
      </Field>
      <Field label={t('What it does')} name="description" hint={t('Others see this too. May be empty.')}>
        {(props) => <textarea {...props} maxLength={2_000} />}
      </Field>
    </FormDialog>
  )
}
