import { useChange, useList } from '../../../data/queries.ts'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { Time } from '../../../ui/values/Time.tsx'

/** The pages in the trash, which can be restored. Renders nothing if it is empty. */
export function PageTrash({ org }: { org: string }) {
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
