import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { signedAppealFee } from '../../../../../sdk/appeal.ts'
import { market } from '../../../../data/market.ts'
import { type Body, useRead } from '../../../../data/queries.ts'
import { trustedMarket } from '../../../../data/storage/trusted.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Dialog } from '../../../../ui/forms/Dialog.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { BindingText } from '../../../../wallet/BindingText.tsx'
import { bindBy, bindingText, isBoundTo } from '../../../../wallet/binding.ts'
import { ConnectWallet } from '../../../../wallet/ConnectWallet.tsx'
import { WholeAddress } from '../../../../wallet/WholeAddress.tsx'
import { type ConnectedWallet, ensureChain, signerOf } from '../../../../wallet/wallets.ts'
import type { Viewer } from '../../order/record/order.ts'
import { STEP } from './step.ts'

interface Unbound {
  wallet: ConnectedWallet
  /** The text by which the wallet is bound to the agent first. */
  text: string
}

type Offer = NonNullable<Body<'getDispute'>['appeals'][number]['payment_requirements']>

/** Appeals to a human, for a fee that the person's wallet signs. */
export function Appeal({
  dispute,
  viewer,
  onClose,
}: {
  dispute: Body<'getDispute'>
  viewer: Viewer
  onClose: () => void
}) {
  const client = useQueryClient()
  const config = useRead('getPublicConfig', {})
  const mine = dispute.appeals.find(({ party, may }) => party === viewer.side && may.includes('fund'))
  const [offer, setOffer] = useState<Offer | undefined>(mine?.payment_requirements)
  const [unbound, setUnbound] = useState<Unbound>()
  const [error, setError] = useState<unknown>()
  const params = { urn: urnString('dispute', dispute.urn.body) }
  const attempt = async (work: () => Promise<void>) => {
    setError(undefined)
    try {
      await work()
    } catch (failure) {
      setError(failure)
    }
  }
  const ask = () =>
    attempt(async () => {
      const { body } = await market.call('appealVerdict', { params, agent: viewer.agent })
      setOffer(body)
    })
  // A refund of the fee goes to the wallet that paid it: the service has to know whose that is.
  const connect = (wallet: ConnectedWallet) =>
    attempt(async () => {
      if (await isBoundTo(wallet, viewer.agent)) return pay(wallet)
      const { chainId } = await trustedMarket()
      setUnbound({ wallet, text: await bindingText(wallet, chainId, viewer.agent) })
    })
  const bindAndPay = ({ wallet, text }: Unbound) =>
    attempt(async () => {
      await bindBy(wallet, text, viewer.agent)
      setUnbound(undefined)
      await pay(wallet)
    })
  const pay = async (wallet: ConnectedWallet) => {
    if (!offer) return
    const known = await trustedMarket()
    await ensureChain(wallet, known.chainId)
    const signed_authorization = await signedAppealFee(
      offer,
      signerOf(wallet),
      known,
      intentOf(dispute, viewer, offer, config.data),
    )
    await market.call('fundAppeal', { params, body: { signed_authorization }, agent: viewer.agent })
    await Promise.all([...STEP, 'listWallets'].map((name) => client.invalidateQueries({ queryKey: [name] })))
    onClose()
  }
  return (
    <Dialog title={t('Appeal')} onClose={onClose}>
      <Rules />
      {offer ? (
        <>
          <Fee offer={offer} />
          {unbound ? (
            <SignTwice text={unbound.text} onSign={() => bindAndPay(unbound)} />
          ) : (
            <>
              <p>{t('Choose the wallet that pays the fee. It asks you to sign at once.')}</p>
              <ConnectWallet onConnect={connect} />
            </>
          )}
        </>
      ) : (
        <div>
          <Button kind="primary" onClick={ask}>
            {t('Show the fee')}
          </Button>
        </div>
      )}
      <Problem error={error} />
    </Dialog>
  )
}

function Rules() {
  return (
    <p>
      {t(
        'A human who knows neither party decides again, and that decision is final. The fee is refunded if you get more than before, or if nobody decides in time.',
      )}
    </p>
  )
}

function SignTwice({ text, onSign }: { text: string; onSign: () => Promise<void> }) {
  return (
    <>
      <BindingText text={text} agent={t('the agent that appeals')} />
      <div className="row">
        <Button kind="primary" onClick={onSign}>
          {t('Sign in the wallet')}
        </Button>
        <span className="muted small">{t('Your wallet asks twice: for its binding, then for the fee.')}</span>
      </div>
    </>
  )
}

function Fee({ offer: { amount, recipient } }: { offer: Offer }) {
  return (
    <p>
      <Trans
        message="Fee: {amount} <unit>USDC</unit>, to {address}"
        amount={<Amount value={amount} large />}
        unit={(text) => <span className="muted">{text}</span>}
        address={<WholeAddress value={recipient} />}
      />
    </p>
  )
}

function intentOf(
  dispute: Body<'getDispute'>,
  viewer: Viewer,
  offer: Offer,
  config: Body<'getPublicConfig'> | undefined,
) {
  return {
    dispute: dispute.urn,
    appellant: { prefix: 'agent', body: viewer.agent.split(':').at(-1) ?? '' },
    maxFee: offer.amount,
    windowSeconds: config?.rules.appeal_payment_seconds ?? 0,
  }
}
