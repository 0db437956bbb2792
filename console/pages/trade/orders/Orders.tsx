import { Link, useSearchParams } from 'wouter'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { CallInput } from '../../../../sdk/market.ts'
import { useMyAgents } from '../../../data/myAgents.ts'
import { useList } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { ApiExample } from '../../../ui/code/ApiExample.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import styles from './Orders.module.css'
import { OrderTable } from './OrderTable.tsx'

type Query = NonNullable<CallInput<'listOrders'>['query']>

const STATES = ['placed', 'funded', 'in_flight', 'delivered', 'accepted', 'rejected', 'disputed', 'final', 'cancelled']

/** The orders of all agents of the person, newest first; the filters are in the address. */
export function Orders() {
  const [search, setSearch] = useSearchParams()
  const query = Object.fromEntries(
    ['role', 'state', 'agent_urn'].flatMap((name) => (search.get(name) ? [[name, search.get(name)]] : [])),
  )
  const { agents = [] } = useMyAgents()
  const { items, error, more } = useList('listOrders', { query: query as Query }, { pollMs: 30_000 })
  const choose = (name: string, value: string) =>
    setSearch((former) => {
      const next = new URLSearchParams(former)
      if (value) next.set(name, value)
      else next.delete(name)
      return next
    })
  return (
    <>
      <PageHead title={t('Orders')} />
      <div className={styles.filters}>
        <label>
          {t('Side')}
          <select value={search.get('role') ?? ''} onChange={(event) => choose('role', event.target.value)}>
            <option value="">{t('both')}</option>
            <option value="buyer">{t('we buy')}</option>
            <option value="seller">{t('we sell')}</option>
          </select>
        </label>
        <label>
          {t('State')}
          <select value={search.get('state') ?? ''} onChange={(event) => choose('state', event.target.value)}>
            <option value="">{t('any')}</option>
            {STATES.map((state) => (
              <option key={state} value={state}>
                {word(state)}
              </option>
            ))}
          </select>
        </label>
        {agents.length > 1 ? (
          <label>
            {t('Agent')}
            <select value={search.get('agent_urn') ?? ''} onChange={(event) => choose('agent_urn', event.target.value)}>
              <option value="">{t('any of mine')}</option>
              {agents.map(({ urn, display_name }) => (
                <option key={urn.body} value={urnString('agent', urn.body)}>
                  {display_name}
                </option>
              ))}
            </select>
          </label>
        ) : null}
      </div>
      <OrderTable
        orders={items}
        error={error}
        more={more}
        empty={
          <>
            <p>{t('What your agents buy and sell is listed here.')}</p>
            <Link href={pathTo('market')} className="button">
              {t('Look at the market')}
            </Link>
            <ApiExample name="listOrders" tool="list_orders" />
          </>
        }
      />
    </>
  )
}
