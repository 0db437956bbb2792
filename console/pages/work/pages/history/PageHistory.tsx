import { useState } from 'react'
import { usePeople } from '../../../../data/org.ts'
import { type Body, useList } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import { PageVersion } from './internal/PageVersion.tsx'

/** All versions of a page. Each can be shown, compared with another, and restored. */
export function PageHistory({ org, page }: { org: string; page: Body<'getPage'> }) {
  const { items, error, more } = useList('listPageVersions', { params: { org, ref: page.id } })
  const { nameOf } = usePeople(org)
  const [number, setNumber] = useState(page.version)
  return (
    <>
      <PageVersion key={number} org={org} page={page} number={number} />
      <Section title={t('Versions')}>
        <Table
          caption={t('Versions of the page, the newest first')}
          rows={items}
          error={error}
          more={more}
          keyOf={(version) => String(version.number)}
          empty={null}
          columns={[
            {
              title: t('Version'),
              cell: (version) => (
                <Button
                  kind="quiet"
                  aria-pressed={version.number === number}
                  aria-label={t('Show version {number}', { number: version.number })}
                  onClick={() => setNumber(version.number)}
                >
                  {version.number}
                  {version.number === page.published_version ? ` · ${t('published')}` : ''}
                </Button>
              ),
            },
            { title: t('Title'), cell: ({ title }) => title },
            { title: t('By'), cell: ({ created_by }) => nameOf(created_by) },
            { title: t('Written'), cell: ({ created_at }) => <Time at={created_at} /> },
          ]}
        />
      </Section>
    </>
  )
}
