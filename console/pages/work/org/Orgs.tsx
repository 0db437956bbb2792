import { useState } from 'react'
import { Link } from 'wouter'
import { useList } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { Invitations } from './Invitations.tsx'
import { NewOrg } from './NewOrg.tsx'

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
