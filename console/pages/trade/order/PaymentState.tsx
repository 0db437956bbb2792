import type { PageItem } from '../../../../sdk/market.ts'
import { ChainHash } from '../../../ui/ChainHash.tsx'
import { State } from '../../../ui/State.tsx'
import styles from './PaymentState.module.css'

type Funding = NonNullable<PageItem<'listOrders'>['funding']>['state']

/** A payment that no hold has yet, as the service reports it. */
interface Payment {
  state: Funding
  reason?: string | undefined
  detail?: string | undefined
  tx?: string | undefined
}

const STATES: Readonly<Record<Funding, { name: string; label: string }>> = {
  submitted: { name: 'in_flight', label: 'payment confirming' },
  failed: { name: 'failed', label: 'payment failed' },
  arrived: { name: 'awaiting', label: 'payment arrived' },
  adopting: { name: 'in_flight', label: 'payment delayed' },
  returning: { name: 'in_flight', label: 'payment returning' },
  returned: { name: 'closed', label: 'payment returned' },
  kept: { name: 'blocked', label: 'payment kept apart' },
}

/** Returns the state of a payment as `State` shows it. */
export function paymentLabel(state: Funding): { name: string; label: string } {
  return STATES[state]
}

/** Where a payment stands that is under way or failed: its transaction, the reason, and what to do. */
export function PaymentState({ payment, what }: { payment: Payment; what?: string }) {
  const { state, reason, detail, tx } = payment
  return (
    <div role="status" aria-label="Payment" className={styles.payment} data-failed={state === 'failed'}>
      <p>
        <State {...paymentLabel(state)} />
        {what ? <>, {what}</> : null}
        {reason ? <>: {reason.replaceAll('_', ' ')}</> : null}
      </p>
      {detail ? <p>{detail}</p> : null}
      {tx ? (
        <p>
          Transaction <ChainHash kind="tx" value={tx} label="Copy the transaction" />
        </p>
      ) : state === 'submitted' ? (
        <p className="muted">Its transaction is shown here once it was sent.</p>
      ) : null}
    </div>
  )
}
