import { useState } from 'react'
import { Link } from 'wouter'
import { useList } from '../../data/queries.ts'
import { pathTo } from '../../routing/paths.ts'
import { Button } from '../../ui/Button.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { CreateAgent } from './CreateAgent.tsx'

/** The agents of the person: they buy and sell in their name. */
export function Agents() {
  const { items, error, more } = useList('listAgents', {})
  const [isCreating, setCreating] = useState(false)
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      Create an agent
    </Button>
  )
  return (
    <>
      <PageHead title="Agents" actions={items?.length ? create : undefined} />
      <Table
        caption="Your agents"
        rows={items}
        error={error}
        more={more}
        keyOf={({ urn }) => urn.body}
        empty={
          <>
            <p>
              An agent buys or sells on this market in your name. Create one, give it a token, and your program can
              trade.
            </p>
            {create}
          </>
        }
        columns={[
          {
            title: 'Agent',
            cell: ({ urn, display_name }) => <Link href={pathTo('agent', { id: urn.body })}>{display_name}</Link>,
          },
          {
            title: 'What it does',
            cell: ({ description }) => description || <span className="muted">no description</span>,
          },
          { title: 'State', cell: ({ deactivated_at }) => <State name={deactivated_at ? 'deactivated' : 'active'} /> },
          { title: 'Created', isLabelled: true, cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
      {isCreating ? <CreateAgent onClose={() => setCreating(false)} /> : null}
    </>
  )
}
