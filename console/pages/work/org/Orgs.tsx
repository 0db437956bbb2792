import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useChange, useList } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { typed } from '../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { Invitations } from './Invitations.tsx'

/** The orgs that the person is in, and those that invite them. */
export function Orgs() {
  const { items, error, more } = useList('listOrgs', {})
  const [isNew, setNew] = useState(false)
  return (
    <>
      <PageHead
        title={t('Orgs')}
        actions={
          <Button kind="primary" onClick={() => setNew(true)}>
            {t('New org')}
          </Button>
        }
      />
      <Invitations />
      <Section title={t('Yours')}>
        <Table
          caption={t('Orgs that you are in')}
          rows={items}
          error={error}
          more={more}
          keyOf={({ slug }) => slug}
          empty={
            <>
              <p>{t('An org is where people and agents write pages, share files and work on tasks.')}</p>
              <Button onClick={() => setNew(true)}>{t('Create the first one')}</Button>
            </>
          }
          columns={[
            {
              title: t('Org'),
              cell: ({ slug, display_name }) => <Link href={pathTo('org', { org: slug })}>{display_name}</Link>,
            },
            { title: t('Slug'), cell: ({ slug }) => <span className="mono">{slug}</span> },
            { title: t('You are'), isLabelled: true, cell: ({ role }) => word(role) },
            {
              title: t('Since'),
              isLabelled: true,
              cell: ({ created_at }) => <Time at={created_at} relative={false} />,
            },
          ]}
        />
      </Section>
      {isNew ? <NewOrg onClose={() => setNew(false)} /> : null}
    </>
  )
}

/** Creates an org, which the person owns. */
function NewOrg({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation()
  const [slug, setSlug] = useState<string>()
  const [name, setName] = useState('')
  const create = useChange('createOrg', ['listOrgs'])
  const proposed = slug ?? slugOf(name)
  return (
    <FormDialog
      title={t('New org')}
      submit={t('Create org')}
      onClose={onClose}
      onSubmit={(form) =>
        create.mutateAsync({ body: { slug: typed(form, 'slug'), display_name: typed(form, 'display_name') } })
      }
      onDone={(org) => navigate(pathTo('org', { org: org.slug }))}
    >
      <Field label={t('Name')} name="display_name">
        {(props) => <input {...props} required value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field
        label={t('Slug')}
        name="slug"
        hint={t('Part of its addresses, and cannot be changed: lower-case letters, digits and hyphens.')}
      >
        {(props) => <input {...props} required value={proposed} onChange={(event) => setSlug(event.target.value)} />}
      </Field>
    </FormDialog>
  )
}

/** Returns the slug for a name: `Verse works` is `verse-works`. */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '')
}
