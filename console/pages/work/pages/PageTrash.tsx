import { useChange, useList } from '../../../data/queries.ts'
import { Button } from '../../../ui/Button.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { Section } from '../../../ui/Section.tsx'
import { Table } from '../../../ui/Table.tsx'
import { Time } from '../../../ui/Time.tsx'

/** The pages in the trash, which can be restored. Renders nothing if it is empty. */
export function PageTrash({ org }: { org: string }) {
  const { items, error, more } = useList('listPages', { params: { org }, query: { trash: 'true' } })
  const restore = useChange('restorePage', ['listPages'])
  if (!error && !items?.length) return null
  return (
    <Section title="Trash">
      <Problem error={restore.error} />
      <Table
        caption="Pages in the trash"
        rows={items}
        error={error}
        more={more}
        keyOf={({ id }) => id}
        empty={null}
        columns={[
          { title: 'Page', cell: ({ title }) => title },
          {
            title: 'Kept until',
            cell: ({ restorable_until }) => (restorable_until ? <Time at={restorable_until} /> : null),
          },
          {
            title: 'Change',
            cell: ({ id, title }) => (
              <Button
                aria-label={`Restore ${title}`}
                busy={restore.isPending}
                onClick={() => restore.mutate({ params: { org, ref: id } })}
              >
                Restore
              </Button>
            ),
          },
        ]}
      />
    </Section>
  )
}
