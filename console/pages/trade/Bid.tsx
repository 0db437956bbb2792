import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { urnString } from '../../../protocol/urn.ts'
import { market } from '../../data/market.ts'
import { useMyAgents } from '../../data/mine.ts'
import { useChange, useList, useRead } from '../../data/queries.ts'
import { pathTo } from '../../paths.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Button } from '../../ui/Button.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { durationText } from '../../ui/format.ts'
import { Markdown } from '../../ui/Markdown.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Section } from '../../ui/Section.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'

/** A bid and its quotes side by side. Its bidder takes one of them, which places the order. */
export function Bid() {
  const { id = '' } = useParams<{ id: string }>()
  const urn = urnString('bid', id)
  const { agents } = useMyAgents()
  const { data: bid, error } = useRead('getBid', { params: { urn } })
  const mine = agents?.find((agent) => agent.urn.body === bid?.bidder_urn.body)
  const agent = mine && urnString('agent', mine.urn.body)
  const close = useChange('closeBid', ['getBid', 'listBids'])
  if (!bid) return error ? <Problem error={error} /> : null
  return (
    <>
      <PageHead
        title={bid.title}
        kicker={<State name={bid.state} />}
        aside={
          <>
            at most <Amount value={bid.max_price} large /> <span className="muted">USDC</span>
          </>
        }
        actions={
          agent && bid.state === 'open' ? (
            <Button busy={close.isPending} onClick={() => close.mutate({ params: { urn }, agent })}>
              Close the bid
            </Button>
          ) : undefined
        }
      />
      <Problem error={close.error} />
      <Section title="What is needed">
        <Markdown text={bid.description} />
        <Facts
          facts={[
            ['Delivered within', durationText(bid.sla_seconds)],
            ['Open until', <Time at={bid.expires_at} />],
          ]}
        />
      </Section>
      {agent ? <Quotes bid={urn} agent={agent} isOpen={bid.state === 'open'} /> : null}
    </>
  )
}

function Quotes({ bid, agent, isOpen }: { bid: string; agent: string; isOpen: boolean }) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [failure, setFailure] = useState<unknown>()
  const { items, error, more } = useList('listQuotes', { query: { bid_urn: bid }, agent }, { pollMs: 15_000 })
  const take = async (quote: string) => {
    try {
      const body = { bid_urn: bid, quote_urn: quote, escrow_mode: 'contract' as const }
      const placed = await market.call('placeOrder', { body, agent })
      await client.invalidateQueries({ queryKey: ['listOrders'] })
      navigate(pathTo('order', { id: placed.body.order_urn.body }))
    } catch (reason) {
      setFailure(reason)
    }
  }
  return (
    <Section title="Quotes">
      <Problem error={failure} />
      <Table
        caption="Quotes for this bid"
        rows={items}
        error={error}
        more={more}
        keyOf={({ urn }) => urn.body}
        empty={<p>No seller has answered yet.</p>}
        columns={[
          { title: 'Message', cell: ({ message }) => message || <span className="muted">no words</span> },
          { title: 'State', cell: ({ state }) => <State name={state} /> },
          { title: 'Within', isLabelled: true, cell: ({ sla_seconds }) => durationText(sla_seconds) },
          { title: 'Until', isLabelled: true, cell: ({ expires_at }) => <Time at={expires_at} /> },
          { title: 'USDC', isNumber: true, cell: ({ price }) => <Amount value={price} aligned /> },
          {
            title: 'Take',
            cell: ({ urn, state }) =>
              isOpen && state === 'open' ? (
                <Button kind="primary" onClick={() => take(urnString('quote', urn.body))}>
                  Order it
                </Button>
              ) : null,
          },
        ]}
      />
    </Section>
  )
}
