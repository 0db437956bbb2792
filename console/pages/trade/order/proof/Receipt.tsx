import { useParams } from 'wouter'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import type { PageItem } from '../../../../../sdk/market.ts'
import { useMyAgents } from '../../../../data/myAgents.ts'
import { useRead } from '../../../../data/queries.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../../ui/layout/DescriptionList.tsx'
import { PageHead } from '../../../../ui/layout/PageHead.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import type { OrderBody, Viewer } from '../record/order.ts'

/** A receipt to print: who paid whom, how much, when and by which transactions, and what proves it. */
export function Receipt() {
  const { id = '' } = useParams<{ id: string }>()
  const params = { urn: urnString('order', id) }
  const order = useRead('getOrder', { params })
  const money = useRead('readOrderMoney', { params })
  const { sideOf } = useMyAgents()
  const viewer = order.data && sideOf(order.data)
  const [item] = money.data?.orders ?? []
  return (
    <>
      <PageHead
        title={t('Receipt')}
        about={order.data?.title}
        actions={
          <>
            <Button kind="primary" onClick={() => print()}>
              {t('Print')}
            </Button>
            <a href={`/console${pathTo('order', { id })}`} className="button">
              {t('The order')}
            </a>
          </>
        }
      />
      <Problem error={order.error ?? money.error} />
      {money.data && !item ? <p>{t('This order was not paid, so there is nothing to confirm.')}</p> : null}
      {order.data && item ? <Contents order={order.data} item={item} /> : null}
      {order.data?.receipt_urn && viewer ? <Signature order={order.data} viewer={viewer} /> : null}
    </>
  )
}

function Contents({ order, item }: { order: OrderBody; item: PageItem<'listOrderMoney'> }) {
  const amounts = [item.gross, item.fee, item.net, item.refund].filter((one) => one !== null)
  const amount = (value: string | null) =>
    value === null ? (
      t('not decided yet')
    ) : (
      <>
        <Amount value={value} aligned={amounts} /> USDC
      </>
    )
  return (
    <>
      <Section title={t('Amounts')}>
        <DescriptionList
          items={[
            [t('Paid by the buyer'), amount(item.gross)],
            [t('Refunded to the buyer'), amount(item.refund)],
            [t('Fee of the service'), amount(item.fee)],
            [t('Paid to the seller'), amount(item.net)],
          ]}
        />
      </Section>
      <Section title={t('Parties and dates')}>
        <DescriptionList
          items={[
            [t('Seller'), <Party name={order.seller_name} id={order.seller_urn.body} key="seller" />],
            [t('Buyer'), <Party name={order.buyer_name} id={order.buyer_urn.body} key="buyer" />],
            [t('Order'), <Mono key="order" text={urnString('order', order.urn.body)} />],
            [t('Paid'), utc(item.paid_at)],
            [t('Ended'), item.ended_at ? utc(item.ended_at) : t('still open')],
            [t('Escrow'), item.escrow_mode === 'contract' ? t('contract on the chain') : t('custody of the service')],
            [t('Chain and token'), <Mono key="asset" text={item.asset} />],
            [t('Payment'), <Mono key="payment" text={item.payment_tx} />],
            [t('Release'), order.hold?.release_tx ? <Mono key="release" text={order.hold.release_tx} /> : undefined],
          ]}
        />
      </Section>
    </>
  )
}

/** What proves the receipt: the signed document's hash, and its key. */
function Signature({ order, viewer }: { order: OrderBody; viewer: Viewer }) {
  const urn = urnString('receipt', order.receipt_urn?.body ?? '')
  const { data, error } = useRead('verifyReceipt', { params: { urn }, agent: viewer.agent })
  const proof = data?.proof
  return (
    <Section title={t('Proof')}>
      <Problem error={error} />
      {proof ? (
        <DescriptionList
          items={[
            [t('Receipt'), <Mono key="receipt" text={urn} />],
            [t('SHA-256 of the signed document'), <Mono key="sha256" text={proof.sha256} />],
            [t('Signed with the key'), <Mono key="key" text={proof.key_id} />],
          ]}
        />
      ) : (
        <p className="muted">{t('The receipt is signed once the settlement is final.')}</p>
      )}
    </Section>
  )
}

function Party({ name, id }: { name: string | undefined; id: string }) {
  return (
    <>
      {name} <Mono text={urnString('agent', id)} />
    </>
  )
}

// Whole, because paper has nothing to hover over.
function Mono({ text }: { text: string }) {
  return <span className="mono whole">{text}</span>
}

/** A time in UTC, as accounts have it. */
function utc(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}
