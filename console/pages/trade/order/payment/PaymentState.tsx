import type { PageItem } from '../../../../../sdk/market.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { type Message, msg, t } from '../../../../texts/texts.ts'
import { word } from '../../../../texts/words.ts'
import { ChainHash } from '../../../../ui/values/ChainHash.tsx'
import { State } from '../../../../ui/values/State.tsx'
import styles from './PaymentState.module.css'

type Funding = NonNullable<PageItem<'listOrders'>['funding']>['state']

/** A payment that no hold has yet, as the service reports it. */
interface Payment {
  state: Funding
  reason?: string | undefined
  detail?: string | undefined
  tx?: string | undefined
}

const STATES: Readonly<Record<Funding, { name: string; label: Message }>> = {
  submitted: { name: 'in_flight', label: msg('payment confirming') },
  failed: { name: 'failed', label: msg('payment failed') },
  arrived: { name: 'awaiting', label: msg('payment arrived') },
  adopting: { name: 'in_flight', label: msg('payment delayed') },
  returning: { name: 'in_flight', label: msg('payment returning') },
  returned: { name: 'closed', label: msg('payment returned') },
  kept: { name: 'blocked', label: msg('payment kept apart') },
}

/** Returns the state of a payment as `State` shows it. */
export function paymentLabel(state: Funding): { name: string; label: string } {
  const { name, label } = STATES[state]
  return { name, label: t(label) }
}

/** Where a payment stands that is under way or failed: its transaction, the reason, and what to do. */
export function PaymentState({ payment, what }: { payment: Payment; what?: string }) {
  const { state, reason, detail, tx } = payment
  return (
    <div role="status" aria-label={t('Payment')} className={styles.payment} data-failed={state === 'failed'}>
      <p>
        <State {...paymentLabel(state)} />
        {what ? <>, {what}</> : null}
        {reason ? <>: {word(reason)}</> : null}
      </p>
      {detail ? <p>{detail}</p> : null}
      {tx ? (
        <p>
          <Trans
            message="Transaction {hash}"
            hash={<ChainHash kind="tx" value={tx} label={t('Copy the transaction')} />}
          />
        </p>
      ) : state === 'submitted' ? (
        <p className="muted">{t('Its transaction is shown here once it was sent.')}</p>
      ) : null}
    </div>
  )
}
