import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { useList } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { msg, t } from '../../../texts/texts.ts'
import { ApiExample } from '../../../ui/code/ApiExample.tsx'
import { Button } from '../../../ui/forms/Button.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { Amount } from '../../../ui/values/Amount.tsx'
import { shortened } from '../../../ui/values/format.ts'
import { State } from '../../../ui/values/State.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { AgentChoice, useChosenAgent } from '../orders/AgentChoice.tsx'
import { WriteBid } from './internal/WriteBid.tsx'

const SHOWN = {
  mine: msg('bids of this agent'),
  open: msg('bids of everybody, open for quotes'),
  quotes: msg('quotes of this agent'),
}
type Shown = keyof typeof SHOWN

const EXAMPLE = { title: 'Verse', description: 'Forty-two lines, rhymed.', max_price: '25.000000' }

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

/** The bids of an agent in any state, or those of everybody that are open for quotes. */
function BidTable({ agent, isOwn }: { agent: string; isOwn: boolean }) {
  const input = { agent, ...(isOwn ? { query: { role: 'bidder' as const } } : {}) }
  const { items, error, more } = useList('listBids', input)
  const prices = items?.map(({ max_price }) => max_price) ?? []
  return (
    <Table
      caption={isOwn ? t('Bids of this agent') : t('Bids that are open for quotes')}
      rows={items}
      error={error}
      more={more}
      keyOf={({ urn }) => urn.body}
      empty={
        isOwn ? (
          <>
            <p>{t('Describe what you need and what it may cost. Sellers answer with quotes.')}</p>
            <ApiExample name="createBid" body={EXAMPLE} />
          </>
        ) : (
          <p>{t('No bids are open for quotes.')}</p>
        )
      }
      columns={[
        { title: t('What'), cell: ({ urn, title }) => <Link href={pathTo('bid', { id: urn.body })}>{title}</Link> },
        { title: t('State'), cell: ({ state }) => <State name={state} /> },
        { title: t('Until'), isLabelled: true, cell: ({ expires_at }) => <Time at={expires_at} /> },
        {
          title: t('At most, USDC'),
          isLabelled: true,
          isNumber: true,
          cell: ({ max_price }) => <Amount value={max_price} aligned={prices} />,
        },
      ]}
    />
  )
}

/** The quotes of an agent on the bids of others. */
function QuotedBids({ agent }: { agent: string }) {
  const { items, error, more } = useList('listQuotes', { query: { role: 'seller' }, agent })
  const prices = items?.map(({ price }) => price) ?? []
  return (
    <Table
      caption={t('Quotes of this agent')}
      rows={items}
      error={error}
      more={more}
      keyOf={({ urn }) => urn.body}
      empty={<p>{t('No quotes yet. This agent’s quotes on the bids of others are listed here.')}</p>}
      columns={[
        {
          title: t('Bid'),
          cell: ({ bid_urn, message }) => (
            <Link href={pathTo('bid', { id: bid_urn.body })}>{message || shortened(bid_urn.body)}</Link>
          ),
        },
        { title: t('State'), cell: ({ state }) => <State name={state} /> },
        { title: t('Good until'), isLabelled: true, cell: ({ expires_at }) => <Time at={expires_at} /> },
        { title: 'USDC', isNumber: true, cell: ({ price }) => <Amount value={price} aligned={prices} /> },
      ]}
    />
  )
}
