import type { PayeeChanged } from '../../../../../sdk/payees.ts'
import { knownPayees } from '../../../../data/storage/knownPayees.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { DescriptionList } from '../../../../ui/layout/DescriptionList.tsx'
import { WholeAddress } from '../../../../wallet/WholeAddress.tsx'
import type { OrderBody } from '../record/order.ts'

/** Shows the wallet that the seller of an order is paid to, while its payment is held. */
export function SellersWallet({ order: { hold } }: { order: OrderBody }) {
  const payee = hold?.payee ?? hold?.paid_to
  if (!payee || BigInt(payee) === 0n) return null
  return <DescriptionList items={[[t('For the seller’s wallet'), <WholeAddress value={payee} />]]} />
}

/**
 * Asks whether a seller's wallet that differs from earlier signatures of this browser is really the seller's.
 */
export function ChangedPayee({ change, onAgree }: { change: PayeeChanged; onAgree: () => void }) {
  const agree = () => {
    knownPayees.add(change.seller, change.payee)
    onAgree()
  }
  return (
    <div role="alert" className="stack">
      <p>
        <Trans
          message="The seller’s wallet has changed. You signed for {earlier} before; now the money would go to {payee}. Nothing was signed. Ask the seller over another channel whether the new wallet is theirs."
          earlier={<WholeAddress value={change.earlier.at(-1) ?? ''} />}
          payee={<WholeAddress value={change.payee} />}
        />
      </p>
      <Button onClick={agree}>{t('The seller confirmed the new wallet')}</Button>
    </div>
  )
}

/** Returns the change of a seller's wallet that an error reports, or undefined for another error. */
export function payeeChangeOf(error: unknown): PayeeChanged | undefined {
  return error instanceof Error && error.name === 'PayeeChanged' ? (error as PayeeChanged) : undefined
}
