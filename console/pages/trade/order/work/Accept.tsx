import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { useChange } from '../../../../data/queries.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { amountText } from '../../../../ui/values/format.ts'
import { useOutcome } from '../outcome/useOutcome.tsx'
import { SellersWallet } from '../payment/ChangedPayee.tsx'
import { NOTHING, STEP, type StepProps } from '../record/step.ts'
import { Delivered } from './Delivered.tsx'

/** Accepts the delivery, which is shown once more beside the amount that it costs. */
export function Accept({ order, viewer, onClose }: StepProps) {
  const accept = useChange('acceptOrder', [...STEP, 'readBalances'])
  const outcome = useOutcome(viewer)
  const params = { urn: urnString('order', order.urn.body) }
  return (
    <FormDialog
      title={t('Accept “{title}”', { title: order.title ?? t('the delivery') })}
      submit={t('Accept and pay {amount}', { amount: amountText(order.price) })}
      disabled={!order.may.includes('accept')}
      onSubmit={() => outcome.decide(params.urn, NOTHING, () => accept.mutateAsync({ params, agent: viewer.agent }))}
      onClose={onClose}
    >
      {order.sealed || !order.thread_urn ? (
        <p>{t('The delivery is sealed: only your agent’s program can read it.')}</p>
      ) : (
        <Delivered order={order} viewer={viewer} />
      )}
      <p>
        <Trans
          message="Accepting pays the seller {amount} USDC, less the fee. This cannot be undone."
          amount={<Amount value={order.price} />}
        />
      </p>
      <SellersWallet order={order} />
      {outcome.asking}
    </FormDialog>
  )
}
