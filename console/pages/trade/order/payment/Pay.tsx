import { useState } from 'react'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { encodeSignedAuthorization } from '../../../../../protocol/payments/authorization.ts'
import { signOffer } from '../../../../../sdk/authorization.ts'
import { authorizationFor, type PaymentMarket, type PaymentOffer } from '../../../../../sdk/offer.ts'
import { useChange } from '../../../../data/queries.ts'
import { knownPayees } from '../../../../data/storage/knownPayees.ts'
import { trustedMarket } from '../../../../data/storage/trusted.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Dialog } from '../../../../ui/forms/Dialog.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../../ui/layout/DescriptionList.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { percentText } from '../../../../ui/values/format.ts'
import { Time } from '../../../../ui/values/Time.tsx'
import { BindingText } from '../../../../wallet/BindingText.tsx'
import { bindBy, bindingText, isBoundTo } from '../../../../wallet/binding.ts'
import { ConnectWallet } from '../../../../wallet/ConnectWallet.tsx'
import { WholeAddress } from '../../../../wallet/WholeAddress.tsx'
import { type ConnectedWallet, ensureChain, signerOf } from '../../../../wallet/wallets.ts'
import { STEP, type StepProps } from '../record/step.ts'
import { ChangedPayee, payeeChangeOf } from './ChangedPayee.tsx'

interface Checked {
  wallet: ConnectedWallet
  market: PaymentMarket
  nonce: string
  /** The text by which the wallet is bound to the buyer first, unless it is. */
  binding: string | undefined
}

/**
 * Pays by a signature. The page recomputes what is signed from the order and the contracts that this browser
 * knows, and shows all of it. If the service asks for anything else, nothing is signed.
 */
export function Pay({ order, viewer, onClose }: StepProps) {
  const [checked, setChecked] = useState<Checked>()
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const fund = useChange('fundOrder', [...STEP, 'listWallets'])
  const offer = order.payment_requirements as PaymentOffer | null
  if (!offer) return null
  const intent = { price: order.price, seller: order.seller_urn, knownPayees }
  const change = payeeChangeOf(error)
  const check = async (wallet: ConnectedWallet) => {
    setError(undefined)
    try {
      const market = await trustedMarket()
      const { nonce } = authorizationFor(offer, wallet.address, market, intent)
      const isBound = await isBoundTo(wallet, viewer.agent)
      const binding = isBound ? undefined : await bindingText(wallet, market.chainId, viewer.agent)
      setChecked({ wallet, market, nonce, binding })
    } catch (failure) {
      setError(failure)
    }
  }
  const pay = async (signed: Checked) => {
    const { wallet, market, binding } = signed
    setBusy(true)
    setError(undefined)
    try {
      await ensureChain(wallet, market.chainId)
      if (binding !== undefined) {
        await bindBy(wallet, binding, viewer.agent)
        setChecked({ ...signed, binding: undefined })
      }
      const authorization = await signOffer(offer, signerOf(wallet), market, intent)
      const body = { signed_authorization: encodeSignedAuthorization(authorization) }
      await fund.mutateAsync({ params: { urn: urnString('order', order.urn.body) }, body, agent: viewer.agent })
      onClose()
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('Pay for the order')} onClose={onClose}>
      <Amount value={offer.amount} large />
      {checked ? <Terms offer={offer} checked={checked} /> : <ConnectWallet onConnect={check} />}
      {change ? <ChangedPayee change={change} onAgree={() => setError(undefined)} /> : <Problem error={error} />}
      {checked ? (
        <div className="row">
          <Button kind="primary" busy={busy} onClick={() => pay(checked)}>
            {t('Sign in the wallet')}
          </Button>
          <span className="muted small">
            {checked.binding
              ? t('Your wallet asks twice: for its binding, then for the payment. The service pays the gas.')
              : t('You sign a message; the service pays the gas.')}
          </span>
        </div>
      ) : null}
    </Dialog>
  )
}

function Terms({ offer, checked }: { offer: PaymentOffer; checked: Checked }) {
  const { terms } = offer
  return (
    <>
      <DescriptionList
        items={[
          [t('From your wallet'), <WholeAddress value={checked.wallet.address} />],
          [
            offer.escrow_mode === 'contract' ? t('To the escrow contract') : t('To the custody of the service'),
            <WholeAddress value={offer.recipient} />,
          ],
          [t('For the seller’s wallet'), terms ? <WholeAddress value={terms.payee} /> : undefined],
          [t('Fee'), terms ? percentText(terms.fee_bps / 10_000) : undefined],
          [t('Valid until'), <Time at={offer.valid_before} />],
          [
            t('You can take it back from'),
            terms ? <Time at={new Date(terms.expiry * 1_000).toISOString()} /> : undefined,
          ],
        ]}
      />
      {checked.binding ? <BindingText text={checked.binding} agent={t('the buying agent')} /> : null}
      <p className="small">
        <span aria-hidden="true">✓</span>{' '}
        <Trans message="Recomputed here from these terms: {nonce}" nonce={<WholeAddress value={checked.nonce} />} />
      </p>
    </>
  )
}
