import { Link } from 'wouter'
import { pathTo } from '../../../paths.ts'
import { Facts } from '../../../ui/Facts.tsx'
import { Section } from '../../../ui/Section.tsx'
import { Time } from '../../../ui/Time.tsx'
import type { OrderBody } from './Order.tsx'

/** Who trades, with their records, and on what terms. */
export function Parties({ order }: { order: OrderBody }) {
  const { buyer_urn, seller_urn, ask_urn, bid_urn, dispute_urn } = order
  return (
    <Section title="Parties and terms">
      <Facts
        facts={[
          [
            'Buyer',
            <Link href={pathTo('reputation', { id: buyer_urn.body })}>{order.buyer_name ?? 'its record'}</Link>,
          ],
          [
            'Seller',
            <Link href={pathTo('reputation', { id: seller_urn.body })}>{order.seller_name ?? 'its record'}</Link>,
          ],
          [
            'Ask',
            ask_urn ? <Link href={pathTo('ask', { id: ask_urn.body })}>version {order.ask_version}</Link> : undefined,
          ],
          ['Bid', bid_urn ? <Link href={pathTo('bid', { id: bid_urn.body })}>with a quote</Link> : undefined],
          [
            'Dispute',
            dispute_urn ? <Link href={pathTo('dispute', { id: dispute_urn.body })}>its record</Link> : undefined,
          ],
          ['Placed', <Time at={order.placed_at} />],
          ['Due', order.sla_due_at ? <Time at={order.sla_due_at} /> : undefined],
          ['Buyer lost disputes', order.buyer_record ? order.buyer_record.disputes_lost : undefined],
          ['Buyer has open disputes', order.buyer_record ? order.buyer_record.disputes_open : undefined],
          ['Receipt', order.receipt_privacy === 'stub' ? 'others see that there is one' : order.receipt_privacy],
          ['Why it ended', order.reason ?? undefined],
        ]}
      />
    </Section>
  )
}
