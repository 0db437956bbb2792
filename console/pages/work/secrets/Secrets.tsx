import { useState } from 'react'
import { useAll } from '../../../data/all.ts'
import { useOrg, usePeople, useSpaces } from '../../../data/org.ts'
import { useChange, useList } from '../../../data/queries.ts'
import { useOrgParams } from '../../../routing/useOrgParams.ts'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { typed } from '../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { SpaceSelect } from '../spaces/SpaceSelect.tsx'
import { SecretDialog, type SecretStep } from './internal/SecretDialog.tsx'
import { SecretPolicy } from './internal/SecretPolicy.tsx'

/** The secrets of an org: their names, and a value on demand. The address may name one of them. */
export function Secrets() {
  const { org, ref } = useOrgParams()
  const { isManager } = useOrg(org)
  const { nameOf } = usePeople(org)
  const { data: spaces } = useAll('listSpaces', { params: { org } })
  const { items, error, more } = useList('listSecrets', { params: { org } })
  const [isNew, setNew] = useState(false)
  const [asked, setAsked] = useState<{ id: string; step: SecretStep }>()
  const secret = items?.find(({ id }) => id === asked?.id)
  return (
    <>
      <PageHead
        title={t('Secrets')}
        about={t(
          'Values are encrypted, and appear in no list, event, search or export. Each reveal is recorded, and the author is told.',
        )}
        actions={
          <Button kind="primary" onClick={() => setNew(true)}>
            {t('New secret')}
          </Button>
        }
      />
      <Section title={t('Stored here')}>
        <Table
          caption={t('Secrets of the org')}
          rows={items}
          error={error}
          more={more}
          keyOf={({ id }) => id}
          empty={
            <p>
              {t('No secrets yet. Store the keys and passwords that work here needs, for the org or for one space.')}
            </p>
          }
          columns={[
            {
              title: t('Name'),
              cell: ({ name, id, short_id }) => (
                <span className="mono">{ref === id || ref === short_id ? <mark>{name}</mark> : name}</span>
              ),
            },
            {
              title: t('Of'),
              cell: ({ space_id }) =>
                space_id ? (spaces?.find(({ id }) => id === space_id)?.name ?? '') : t('all of the org'),
            },
            { title: t('By'), cell: ({ created_by }) => nameOf(created_by) },
            { title: t('Value of'), cell: ({ updated_at }) => <Time at={updated_at} /> },
            {
              title: t('Change'),
              cell: ({ id, name }) => (
                <span className="row">
                  <Button aria-label={t('Reveal {name}', { name })} onClick={() => setAsked({ id, step: 'reveal' })}>
                    {t('Reveal')}
                  </Button>
                  <Button aria-label={t('Replace {name}', { name })} onClick={() => setAsked({ id, step: 'replace' })}>
                    {t('Replace')}
                  </Button>
                  <Button
                    kind="danger"
                    aria-label={t('Delete {name}', { name })}
                    onClick={() => setAsked({ id, step: 'delete' })}
                  >
                    {t('Delete')}
                  </Button>
                </span>
              ),
            },
          ]}
        />
      </Section>
      <SecretPolicy org={org} isManager={isManager} />
      {isNew ? <NewSecret org={org} onClose={() => setNew(false)} /> : null}
      {secret && asked ? (
        <SecretDialog org={org} secret={secret} step={asked.step} onClose={() => setAsked(undefined)} />
      ) : null}
    </>
  )
}

/** Creates a secret of an org or of a space. */
function NewSecret({ org, onClose }: { org: string; onClose: () => void }) {
  const spaces = useSpaces(org)
  const create = useChange('createSecret', ['listSecrets'])
  return (
    <FormDialog
      title={t('New secret')}
      submit={t('Keep it')}
      onClose={onClose}
      onSubmit={(form) => {
        const space = typed(form, 'space')
        return create.mutateAsync({
          params: { org },
          body: { name: typed(form, 'name'), value: typed(form, 'value'), ...(space ? { space } : {}) },
        })
      }}
    >
      <Field label={t('Name')} name="name" hint={t('Everybody who sees the space sees the name.')}>
        {(props) => <input {...props} required autoComplete="off" />}
      </Field>
      <Field label={t('Value')} name="value">
        {(props) => <textarea {...props} required autoComplete="off" spellCheck={false} />}
      </Field>
      <SpaceSelect spaces={spaces} label={t('Belongs to')} none={t('All of the org')} />
    </FormDialog>
  )
}
