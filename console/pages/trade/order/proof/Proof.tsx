import { Link } from 'wouter'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { useRead } from '../../../../data/queries.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { type Message, msg, t } from '../../../../texts/texts.ts'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../../ui/layout/DescriptionList.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import type { OrderBody, Viewer } from '../record/order.ts'
import { Verified } from './Verified.tsx'

const MICROS = 1_000_000n

const UNPAID: Readonly<Record<string, Message>> = {
  submitted: msg('The payment is being confirmed on the chain.'),
  failed: msg('The payment failed: nothing is paid.'),
  adopting: msg('The payment arrived past the contract, and is not held yet.'),
}

/** Who gets what: while the order is open, by an acceptance; then by the receipt, which this page checks. */
export function Proof({ order, viewer }: { order: OrderBody; viewer: Viewer | undefined }) {
  const isOver = order.state === 'final' || order.state === 'cancelled'
  const urn = urnString('receipt', order.receipt_urn?.body ?? '')
  const proof = useRead(
    'verifyReceipt',
    { params: { urn }, ...(viewer ? { agent: viewer.agent } : {}) },
    { enabled: isOver && order.receipt_urn !== null, pollMs: 2_000, isDone: ({ proof: signed }) => signed !== null },
  )
  if (!isOver) return <Expected order={order} />
  return (
    <Section
      title={t('Proof of settlement')}
      actions={
        order.funded_at ? <Link href={pathTo('receipt', { id: order.urn.body })}>{t('Receipt to print')}</Link> : null
      }
    >
      <Problem error={proof.error} />
      {proof.data ? <Verified answer={proof.data} /> : null}
    </Section>
  )
}

function Expected({ order }: { order: OrderBody }) {
  const config = useRead('getPublicConfig', {})
  const bps = order.payment_requirements?.terms?.fee_bps ?? config.data?.rules.fee_bps
  if (bps === undefined) return null
  const price = microsOf(order.price)
  const fee = (price * BigInt(bps)) / 10_000n
  const amounts = [order.price, text(price - fee), text(fee)]
  return (
    <Section title={t('If accepted now')}>
      <DescriptionList
        items={[
          [t('Seller'), <Amount value={text(price - fee)} aligned={amounts} />],
          [t('Fee'), <Amount value={text(fee)} aligned={amounts} />],
          [t('Refunded'), <Amount value="0.000000" aligned={amounts} />],
          [`= ${t('price')}`, <Amount value={order.price} aligned={amounts} />],
        ]}
      />
      <p className="muted small">
        {order.hold
          ? t('Held since the payment of {payer}…; nobody but the parties and a verdict can move it.', {
              payer: order.hold.payer.slice(0, 8),
            })
          : t(UNPAID[order.funding?.state ?? ''] ?? msg('Nothing is paid yet.'))}
      </p>
    </Section>
  )
}

function microsOf(amount: string): bigint {
  return BigInt(amount.replace('.', ''))
}

function text(micros: bigint): string {
  return `${micros / MICROS}.${String(micros % MICROS).padStart(6, '0')}`
}
