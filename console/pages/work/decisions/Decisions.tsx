import { useState } from 'react'
import { Link } from 'wouter'
import { useAll } from '../../../data/all.ts'
import { usePeople } from '../../../data/org.ts'
import { useList } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { useOrgParams } from '../../../routing/useOrgParams.ts'
import { t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { NewDecision } from './internal/NewDecision.tsx'

/** The decisions of an org: those in force, or all. */
export function Decisions() {
  const { org } = useOrgParams()
  const [showsAll, setShowsAll] = useState(false)
  const [isNew, setNew] = useState(false)
  const { nameOf } = usePeople(org)
  const { data: spaces } = useAll('listSpaces', { params: { org } })
  const query = showsAll ? {} : { superseded: 'false' as const }
  const { items, error, more } = useList('listDecisions', { params: { org }, query })
  return (
    <>
      <PageHead
        title={t('Decisions')}
        actions={
          <>
            <Button kind="primary" onClick={() => setNew(true)}>
              {t('Record a decision')}
            </Button>
            <Button aria-pressed={showsAll} onClick={() => setShowsAll(!showsAll)}>
              {showsAll ? t('Show only those in force') : t('Show replaced ones too')}
            </Button>
          </>
        }
      />
      <Table
        caption={t('Decisions, the newest first')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ id }) => id}
        empty={<p>{t('No decisions yet. A recorded decision never changes: another one replaces it.')}</p>}
        columns={[
          {
            title: t('Decision'),
            cell: ({ title, short_id }) => <Link href={pathTo('decision', { org, ref: short_id })}>{title}</Link>,
          },
          { title: t('Space'), cell: ({ space_id }) => spaces?.find(({ id }) => id === space_id)?.name ?? '' },
          { title: t('By'), isLabelled: true, cell: ({ created_by }) => nameOf(created_by) },
          { title: t('Recorded'), cell: ({ created_at }) => <Time at={created_at} /> },
          {
            title: t('In force'),
            isLabelled: true,
            cell: ({ superseded_by }) => (superseded_by ? word('replaced') : t('yes')),
          },
        ]}
      />
      {isNew ? <NewDecision org={org} onClose={() => setNew(false)} /> : null}
    </>
  )
}
