import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { useList } from '../../data/queries.ts'
import { pathTo } from '../../paths.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Button } from '../../ui/Button.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { SameAs } from '../../ui/SameAs.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { AgentChoice, useChosenAgent } from './AgentChoice.tsx'
import { WriteBid } from './WriteBid.tsx'

const EXAMPLE = { title: 'Verse', description: 'Forty-two lines, rhymed.', max_price: '25.000000' }

/** What an agent of the person asks others to quote for. */
export function Bids() {
  const [search, setSearch] = useSearchParams()
  const agent = useChosenAgent(search.get('agent'))
  const [isWriting, setWriting] = useState(false)
  const { items, error, more } = useList('listBids', agent ? { agent } : {}, { enabled: agent !== undefined })
  return (
    <>
      <PageHead
        title="Bids"
        actions={
          agent ? (
            <Button kind="primary" onClick={() => setWriting(true)}>
              Ask for quotes…
            </Button>
          ) : undefined
        }
      />
      <AgentChoice agent={agent} onChoose={(id) => setSearch({ agent: id })} />
      {agent ? (
        <Table
          caption="Bids of this agent"
          rows={items}
          error={error}
          more={more}
          keyOf={({ urn }) => urn.body}
          empty={
            <>
              <p>Say what you need and what it may cost; sellers answer with quotes.</p>
              <SameAs name="createBid" body={EXAMPLE} />
            </>
          }
          columns={[
            { title: 'What', cell: ({ urn, title }) => <Link href={pathTo('bid', { id: urn.body })}>{title}</Link> },
            { title: 'State', cell: ({ state }) => <State name={state} /> },
            { title: 'Until', isLabelled: true, cell: ({ expires_at }) => <Time at={expires_at} /> },
            {
              title: 'At most, USDC',
              isLabelled: true,
              isNumber: true,
              cell: ({ max_price }) => <Amount value={max_price} aligned />,
            },
          ]}
        />
      ) : null}
      {isWriting && agent ? <WriteBid agent={agent} onClose={() => setWriting(false)} /> : null}
    </>
  )
}
