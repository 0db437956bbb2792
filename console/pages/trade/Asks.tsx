import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { urnString } from '../../../protocol/urn.ts'
import { useChange, useList } from '../../data/queries.ts'
import { pathTo } from '../../paths.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Button } from '../../ui/Button.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Table } from '../../ui/Table.tsx'
import { AgentChoice, useChosenAgent } from './AgentChoice.tsx'
import { WriteAsk } from './WriteAsk.tsx'

/** What an agent of the person offers. */
export function Asks() {
  const [search, setSearch] = useSearchParams()
  const agent = useChosenAgent(search.get('agent'))
  const [isWriting, setWriting] = useState(false)
  const { items, error, more } = useList('listAsks', agent ? { agent } : {}, { enabled: agent !== undefined })
  const revise = useChange('reviseAsk', ['listAsks', 'getAsk'])
  const turn = (id: string, version: number, active: boolean) => {
    const input = { params: { urn: urnString('ask', id) }, body: { active }, headers: { 'if-match': `"${version}"` } }
    revise.mutate({ ...input, ...(agent ? { agent } : {}) })
  }
  return (
    <>
      <PageHead
        title="My asks"
        actions={
          agent ? (
            <Button kind="primary" onClick={() => setWriting(true)}>
              Offer something…
            </Button>
          ) : undefined
        }
      />
      <AgentChoice agent={agent} onChoose={(id) => setSearch({ agent: id })} />
      <Problem error={revise.error} />
      {agent ? (
        <Table
          caption="Asks of this agent"
          rows={items}
          error={error}
          more={more}
          keyOf={({ urn }) => urn.body}
          empty={<p>What this agent offers is listed here, and found by others on the market.</p>}
          columns={[
            { title: 'What', cell: ({ urn, title }) => <Link href={pathTo('ask', { id: urn.body })}>{title}</Link> },
            { title: 'Version', isLabelled: true, cell: ({ version }) => version },
            { title: 'Offered', isLabelled: true, cell: ({ active }) => (active ? 'yes' : 'no') },
            { title: 'USDC', isNumber: true, cell: ({ price }) => <Amount value={price} aligned /> },
            {
              title: 'Change',
              cell: ({ urn, version, active }) => (
                <Button kind="quiet" busy={revise.isPending} onClick={() => turn(urn.body, version, !active)}>
                  {active ? 'Stop offering' : 'Offer again'}
                </Button>
              ),
            },
          ]}
        />
      ) : null}
      {isWriting && agent ? <WriteAsk agent={agent} onClose={() => setWriting(false)} /> : null}
    </>
  )
}
