import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { msg, t } from '../../texts/texts.ts'
import { Button } from '../../ui/forms/Button.tsx'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import { AgentChoice, useChosenAgent } from './AgentChoice.tsx'
import { BidTable } from './BidTable.tsx'
import { QuotedBids } from './QuotedBids.tsx'
import { WriteBid } from './WriteBid.tsx'

const SHOWN = {
  mine: msg('bids of this agent'),
  open: msg('bids of everybody, open for quotes'),
  quotes: msg('quotes of this agent'),
}
type Shown = keyof typeof SHOWN

/** The bids of an agent of the person, the open bids of others, and the agent's quotes. */
export function Bids() {
  const [search, setSearch] = useSearchParams()
  const agent = useChosenAgent(search.get('agent'))
  const chosen = search.get('show') ?? ''
  const show = chosen in SHOWN ? (chosen as Shown) : 'mine'
  const [isWriting, setWriting] = useState(false)
  const choose = (change: Record<string, string>) => setSearch({ ...Object.fromEntries(search), ...change })
  return (
    <>
      <PageHead
        title={t('Bids')}
        actions={
          agent ? (
            <Button kind="primary" onClick={() => setWriting(true)}>
              {t('Ask for quotes…')}
            </Button>
          ) : undefined
        }
      />
      <AgentChoice agent={agent} onChoose={(id) => choose({ agent: id })}>
        <label>
          {t('Show')}
          <select value={show} onChange={(event) => choose({ show: event.target.value })}>
            {Object.entries(SHOWN).map(([value, words]) => (
              <option key={value} value={value}>
                {t(words)}
              </option>
            ))}
          </select>
        </label>
      </AgentChoice>
      {agent && show === 'quotes' ? <QuotedBids agent={agent} /> : null}
      {agent && show !== 'quotes' ? <BidTable key={show} agent={agent} isOwn={show === 'mine'} /> : null}
      {isWriting && agent ? <WriteBid agent={agent} onClose={() => setWriting(false)} /> : null}
    </>
  )
}
