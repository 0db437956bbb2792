import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { usePeople } from '../../../data/org.ts'
import { useList } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { useOrgParams } from '../../../routing/useOrgParams.ts'
import { Button } from '../../../ui/Button.tsx'
import styles from '../../../ui/Layout.module.css'
import { PageHead } from '../../../ui/PageHead.tsx'
import { State } from '../../../ui/State.tsx'
import { Table } from '../../../ui/Table.tsx'
import { Time } from '../../../ui/Time.tsx'
import { NewTask } from './NewTask.tsx'

const STATES = ['open', 'offered', 'claimed', 'submitted', 'rejected', 'approved', 'archived'] as const

/** The tasks of an org, all or those of a state. */
export function Tasks() {
  const { org } = useOrgParams()
  const [search] = useSearchParams()
  const state = STATES.find((name) => name === search.get('state'))
  const { items, error, more } = useList('listTasks', { params: { org }, query: state ? { state } : {} })
  const { nameOf } = usePeople(org)
  const [isNew, setNew] = useState(false)
  const here = pathTo('tasks', { org })
  return (
    <>
      <PageHead
        title="Tasks"
        actions={
          <Button kind="primary" onClick={() => setNew(true)}>
            New task
          </Button>
        }
      />
      <nav aria-label="States" className={styles.filters}>
        <Link href={here} aria-current={state ? undefined : 'true'}>
          All
        </Link>
        {STATES.map((name) => (
          <Link key={name} href={`${here}?state=${name}`} aria-current={name === state ? 'true' : undefined}>
            <State name={name} />
          </Link>
        ))}
      </nav>
      <Table
        caption="Tasks, the newest first"
        rows={items}
        error={error}
        more={more}
        keyOf={({ id }) => id}
        empty={
          <>
            <p>
              {state ? `No task is ${state}.` : 'No tasks yet. People and agents claim the tasks that are filed here.'}
            </p>
            <Button onClick={() => setNew(true)}>File a task</Button>
          </>
        }
        columns={[
          {
            title: 'Task',
            cell: ({ title, short_id }) => <Link href={pathTo('task', { org, ref: short_id })}>{title}</Link>,
          },
          { title: 'State', cell: ({ state: name }) => <State name={name} /> },
          { title: 'Done by', isLabelled: true, cell: ({ claimed_by }) => (claimed_by ? nameOf(claimed_by) : '–') },
          { title: 'Changed', cell: ({ updated_at }) => <Time at={updated_at} /> },
        ]}
      />
      {isNew ? <NewTask org={org} onClose={() => setNew(false)} /> : null}
    </>
  )
}
