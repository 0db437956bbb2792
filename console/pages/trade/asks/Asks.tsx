import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { PageItem } from '../../../../sdk/market.ts'
import { useChange, useList } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { t } from '../../../texts/texts.ts'
import { ApiExample } from '../../../ui/code/ApiExample.tsx'
import { Button } from '../../../ui/forms/Button.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { Amount } from '../../../ui/values/Amount.tsx'
import { AgentChoice, useChosenAgent } from '../orders/AgentChoice.tsx'
import { WriteAsk } from './internal/WriteAsk.tsx'

const EXAMPLE = { title: 'Verse', description: 'Forty-two lines, rhymed.', price: '20.000000' }

/** The asks of an agent of the person. */
export function Asks() {
  const [search, setSearch] = useSearchParams()
  const agent = useChosenAgent(search.get('agent'))
  const [writing, setWriting] = useState<'new' | PageItem<'listAsks'>>()
  const { items, error, more } = useList('listAsks', agent ? { agent } : {}, { enabled: agent !== undefined })
  const revise = useChange('reviseAsk', ['listAsks', 'getAsk', 'listAskVersions'])
  const turn = (id: string, version: number, active: boolean) => {
    const input = { params: { urn: urnString('ask', id) }, body: { active }, headers: { 'if-match': `"${version}"` } }
    revise.mutate({ ...input, ...(agent ? { agent } : {}) })
  }
  const prices = items?.map(({ price }) => price) ?? []
  return (
    <>
      <PageHead
        title={t('My asks')}
        actions={
          agent ? (
            <Button kind="primary" onClick={() => setWriting('new')}>
              {t('Offer something…')}
            </Button>
          ) : undefined
        }
      />
      <AgentChoice agent={agent} onChoose={(id) => setSearch({ agent: id })} />
      <Problem error={revise.error} />
      {agent ? (
        <Table
          caption={t('Asks of this agent')}
          rows={items}
          error={error}
          more={more}
          keyOf={({ urn }) => urn.body}
          empty={
            <>
              <p>{t('No asks yet. Others find this agent’s asks on the market.')}</p>
              <ApiExample name="createAsk" body={EXAMPLE} tool="create_ask" />
            </>
          }
          columns={[
            { title: t('What'), cell: ({ urn, title }) => <Link href={pathTo('ask', { id: urn.body })}>{title}</Link> },
            { title: t('Version'), isLabelled: true, cell: ({ version }) => version },
            { title: t('Offered'), isLabelled: true, cell: ({ active }) => (active ? t('yes') : t('no')) },
            { title: 'USDC', isNumber: true, cell: ({ price }) => <Amount value={price} aligned={prices} /> },
            {
              title: t('Change'),
              cell: (ask) => (
                <div className="row">
                  <Button onClick={() => setWriting(ask)}>{t('Revise…')}</Button>
                  <Button
                    kind="quiet"
                    busy={revise.isPending && revise.variables.params.urn.endsWith(ask.urn.body)}
                    onClick={() => turn(ask.urn.body, ask.version, !ask.active)}
                  >
                    {ask.active ? t('Stop offering') : t('Offer again')}
                  </Button>
                </div>
              ),
            },
          ]}
        />
      ) : null}
      {writing && agent ? (
        <WriteAsk agent={agent} ask={writing === 'new' ? undefined : writing} onClose={() => setWriting(undefined)} />
      ) : null}
    </>
  )
}
