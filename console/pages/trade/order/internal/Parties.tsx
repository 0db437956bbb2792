import { Link } from 'wouter'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { useRead } from '../../../../data/queries.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { t } from '../../../../texts/texts.ts'
import { word } from '../../../../texts/words.ts'
import { DescriptionList } from '../../../../ui/layout/DescriptionList.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import { AgentLink } from '../../market/AgentLink.tsx'
import type { OrderBody } from '../record/order.ts'

/** The parties with their records, and the terms. */
export function Parties({ order }: { order: OrderBody }) {
  const { buyer_urn, seller_urn, ask_urn, bid_urn, dispute_urn } = order
  const task = useTask(order)
  return (
    <Section title={t('Parties and terms')}>
      <DescriptionList
        items={[
          [t('Buyer'), <AgentLink id={buyer_urn.body} name={order.buyer_name} withUrn />],
          [t('Seller'), <AgentLink id={seller_urn.body} name={order.seller_name} withUrn />],
          [
            t('Ask'),
            ask_urn ? (
              <Link href={`${pathTo('ask', { id: ask_urn.body })}?version=${order.ask_version}`}>
                {t('version {version}', { version: order.ask_version ?? undefined })}
              </Link>
            ) : undefined,
          ],
          [t('Bid'), bid_urn ? <Link href={pathTo('bid', { id: bid_urn.body })}>{t('with a quote')}</Link> : undefined],
          [
            t('Task'),
            task ? (
              <Link href={pathTo('task', { org: task.org, ref: task.task.short_id })}>{task.task.title}</Link>
            ) : undefined,
          ],
          [
            t('Dispute'),
            dispute_urn ? <Link href={pathTo('dispute', { id: dispute_urn.body })}>{t('its record')}</Link> : undefined,
          ],
          [t('Placed'), <Time at={order.placed_at} />],
          [t('Due'), order.sla_due_at ? <Time at={order.sla_due_at} /> : undefined],
          [t('Buyer lost disputes'), order.buyer_record ? order.buyer_record.disputes_lost : undefined],
          [t('Buyer has open disputes'), order.buyer_record ? order.buyer_record.disputes_open : undefined],
          [
            t('Receipt'),
            order.receipt_privacy === 'stub'
              ? t('Others can see that a receipt exists, not its contents')
              : word(order.receipt_privacy),
          ],
        ]}
      />
    </Section>
  )
}

/**
 * The task of an org that an order is for. Only an order on a bid that was paid can have one, and not
 * everybody reads it.
 */
function useTask({ urn, bid_urn, thread_urn }: OrderBody) {
  const isPossible = bid_urn !== null && thread_urn !== null
  return useRead('getOrderTask', { params: { urn: urnString('order', urn.body) } }, { enabled: isPossible }).data
}
