import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { type Body, useChange, useList } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { AgentChoice, useChosenAgent } from '../../orders/AgentChoice.tsx'
import { quoteColumns } from './quoteColumns.tsx'
import { WriteQuote } from './WriteQuote.tsx'

/** The quotes of an agent of the person on somebody else's bid. They write and withdraw them here. */
export function MyQuotes({ bid }: { bid: Body<'getBid'> }) {
  const [search, setSearch] = useSearchParams()
  const agent = useChosenAgent(search.get('agent'))
  const [isWriting, setWriting] = useState(false)
  const query = { bid_urn: urnString('bid', bid.urn.body), role: 'seller' as const }
  const input = { query, ...(agent ? { agent } : {}) }
  const { items, error, more } = useList('listQuotes', input, { enabled: agent !== undefined, pollMs: 15_000 })
  const withdraw = useChange('withdrawQuote', ['listQuotes'])
  const isOpen = bid.state === 'open'
  return (
    <Section
      title={t('Your quotes')}
      actions={
        agent && isOpen ? (
          <Button kind="primary" onClick={() => setWriting(true)}>
            {t('Quote…')}
          </Button>
        ) : undefined
      }
    >
      <AgentChoice agent={agent} onChoose={(id) => setSearch({ agent: id })} />
      <Problem error={withdraw.error} />
      {agent ? (
        <Table
          caption={t('Quotes of this agent')}
          rows={items}
          error={error}
          more={more}
          keyOf={({ urn }) => urn.body}
          empty={
            <p>{isOpen ? t('Name your price and the time that you need.') : t('The bid is closed for quotes.')}</p>
          }
          columns={[
            ...quoteColumns(items),
            {
              title: t('Change'),
              cell: ({ urn, state }) =>
                state === 'open' ? (
                  <Button
                    busy={withdraw.isPending}
                    onClick={() => withdraw.mutate({ params: { urn: urnString('quote', urn.body) }, agent })}
                  >
                    {t('Withdraw')}
                  </Button>
                ) : null,
            },
          ]}
        />
      ) : null}
      {isWriting && agent ? (
        <WriteQuote
          bid={bid}
          agent={agent}
          replaces={items?.find(({ state }) => state === 'open')}
          onClose={() => setWriting(false)}
        />
      ) : null}
    </Section>
  )
}
