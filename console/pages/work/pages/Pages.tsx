import { Link } from 'wouter'
import { useChange, useList } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { useOrgParams } from '../../../routing/useOrgParams.ts'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { WithPageTree } from './tree/PageTree.tsx'

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

/** The pages in the trash, which can be restored. Renders nothing if it is empty. */
function PageTrash({ org }: { org: string }) {
  const { items, error, more } = useList('listPages', { params: { org }, query: { trash: 'true' } })
  const restore = useChange('restorePage', ['listPages'])
  if (!error && !items?.length) return null
  return (
    <Section title={t('Trash')}>
      <Problem error={restore.error} />
      <Table
        caption={t('Pages in the trash')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ id }) => id}
        empty={null}
        columns={[
          { title: t('Page'), cell: ({ title }) => title },
          {
            title: t('Kept until'),
            cell: ({ restorable_until }) => (restorable_until ? <Time at={restorable_until} /> : null),
          },
          {
            title: t('Change'),
            cell: ({ id, title }) => (
              <Button
                aria-label={t('Restore {name}', { name: title })}
                busy={restore.isPending}
                onClick={() => restore.mutate({ params: { org, ref: id } })}
              >
                {t('Restore')}
              </Button>
            ),
          },
        ]}
      />
    </Section>
  )
}
