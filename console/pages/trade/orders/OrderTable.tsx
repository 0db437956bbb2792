import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { PageItem } from '../../../../sdk/market.ts'
import { pathTo } from '../../../routing/paths.ts'
import { Trans } from '../../../texts/Trans.tsx'
import { t } from '../../../texts/texts.ts'
import { type Column, Table } from '../../../ui/layout/Table.tsx'
import { Amount } from '../../../ui/values/Amount.tsx'
import { shortened } from '../../../ui/values/format.ts'
import { State } from '../../../ui/values/State.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { paymentLabel } from '../order/payment/PaymentState.tsx'
import { DEADLINES } from '../order/record/deadlines.ts'

interface Props {
  orders: readonly PageItem<'listOrders'>[] | undefined
  error?: unknown
  more?: (() => void) | undefined
  empty: ReactNode
  /** The actions on a listed order. */
  act?: ((order: PageItem<'listOrders'>) => ReactNode) | undefined
}

/** A table of orders: title, state, parties, next deadline and price. */
export function OrderTable({ orders, error, more, empty, act }: Props) {
  const prices = orders?.map(({ price }) => price) ?? []
  const acts: Column<PageItem<'listOrders'>>[] = act ? [{ title: t('Do'), cell: act }] : []
  return (
    <Table
      caption={t('Orders of your agents')}
      rows={orders}
      error={error}
      more={more}
      keyOf={({ urn }) => urn.body}
      empty={empty}
      columns={[
        {
          title: t('What'),
          cell: ({ urn, title }) => (
            <Link href={pathTo('order', { id: urn.body })}>{title ?? shortened(urn.body)}</Link>
          ),
        },
        {
          title: t('State'),
          cell: ({ state, funding }) => (
            <>
              <State name={state} /> {funding ? <State {...paymentLabel(funding.state)} /> : null}
            </>
          ),
        },
        {
          title: t('Buyer → seller'),
          cell: ({ buyer_name, seller_name }) => `${buyer_name ?? '?'} → ${seller_name ?? '?'}`,
        },
        {
          title: t('Next'),
          cell: ({ next_deadline, placed_at }) =>
            next_deadline ? (
              <Trans message={DEADLINES[next_deadline.what]} time={<Time at={next_deadline.at} />} />
            ) : (
              <span className="muted">
                <Trans message="placed {time}" time={<Time at={placed_at} relative={false} />} />
              </span>
            ),
        },
        { title: 'USDC', isNumber: true, cell: ({ price }) => <Amount value={price} aligned={prices} /> },
        ...acts,
      ]}
    />
  )
}
