import { Link } from 'wouter'
import { useList } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { useOrgParams } from '../../../routing/useOrgParams.ts'
import { t } from '../../../texts/texts.ts'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { PageTrash } from './PageTrash.tsx'
import { WithPageTree } from './PageTree.tsx'

/** The pages of an org: the tree, the newest of them, and the trash. */
export function Pages() {
  const { org } = useOrgParams()
  const { items, error, more } = useList('listPages', { params: { org }, query: { limit: 20 } })
  return (
    <WithPageTree org={org}>
      <PageHead title={t('Pages')} />
      <Section title={t('Newest')}>
        <Table
          caption={t('Pages, the newest first')}
          rows={items}
          error={error}
          more={more}
          keyOf={({ id }) => id}
          empty={
            <>
              <p>{t('No pages yet. Pages are written in Markdown and form a tree. Each belongs to a space.')}</p>
              <Link href={pathTo('org', { org })}>{t('Show the spaces')}</Link>
            </>
          }
          columns={[
            {
              title: t('Page'),
              cell: ({ title, short_id }) => <Link href={pathTo('page', { org, ref: short_id })}>{title}</Link>,
            },
            {
              title: t('Published'),
              cell: ({ published_version, version }) => publishedText(published_version, version),
            },
            { title: t('Changed'), cell: ({ updated_at }) => <Time at={updated_at} /> },
          ]}
        />
      </Section>
      <PageTrash org={org} />
    </WithPageTree>
  )
}

function publishedText(published: number | null, version: number): string {
  if (published === null) return t('not published')
  return published === version ? t('up to date') : t('version {published} of {newest}', { published, newest: version })
}
