import { useState } from 'react'
import type { HoldExit } from '../../../../../sdk/escrow.ts'
import { trustedMarket } from '../../../../data/storage/trusted.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { type Message, msg, t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Dialog } from '../../../../ui/forms/Dialog.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { ChainHash } from '../../../../ui/values/ChainHash.tsx'
import { ConnectWallet } from '../../../../wallet/ConnectWallet.tsx'
import { WholeAddress } from '../../../../wallet/WholeAddress.tsx'
import {
  type ConnectedWallet,
  ensureChain,
  nodeOf,
  sendTransaction,
  waitForReceipt,
} from '../../../../wallet/wallets.ts'
import type { StepProps } from '../record/step.ts'

const EXITS: Record<'buyer' | 'seller', readonly { action: HoldExit; title: Message; about: Message }[]> = {
  buyer: [
    {
      action: 'releaseByPayer',
      title: msg('Pay the seller now'),
      about: msg('Everything goes to the seller, less the fee.'),
    },
    { action: 'reclaim', title: msg('Take the money back'), about: msg('Possible once the hold has expired.') },
  ],
  seller: [
    { action: 'refundByPayee', title: msg('Give the money back'), about: msg('Everything goes back to the buyer.') },
  ],
}

/** The calls of the contract by which a party ends a hold without the service. */
export function SettleOnChain({ order, viewer, onClose }: StepProps) {
  const [wallet, setWallet] = useState<ConnectedWallet>()
  const [sent, setSent] = useState<string>()
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const go = async (action: HoldExit) => {
    if (!wallet) return
    setBusy(true)
    setError(undefined)
    try {
      if (!order.hold) throw new Error(t('Nothing was paid for this order, so there is nothing to take out.'))
      const market = await trustedMarket()
      await ensureChain(wallet, market.chainId)
      const { exitCall, readHold, requireExpired } = await import('../../../../../sdk/escrow.ts')
      const hold = await readHold(nodeOf(wallet), market, { order: order.urn, depositTx: order.hold.deposit_tx })
      if (action === 'reclaim') await requireExpired(nodeOf(wallet), hold)
      const hash = await sendTransaction(wallet, exitCall(market, action, hold, wallet.address))
      setSent(hash)
      await waitForReceipt(wallet, hash)
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('Settle on-chain')} onClose={onClose}>
      <p>
        {t(
          'Your wallet asks the contract directly and pays the gas. The order follows once the chain has confirmed it.',
        )}
      </p>
      {wallet ? (
        <>
          <p className="small">
            <Trans message="Your wallet {address}" address={<WholeAddress value={wallet.address} />} />
          </p>
          {EXITS[viewer.side].map(({ action, title, about }) => (
            <div key={action} className="stack">
              <p>
                {t(about)} <span className="mono muted">{action}</span>
              </p>
              <div>
                <Button kind="danger" busy={busy} onClick={() => go(action)}>
                  {t(title)}
                </Button>
              </div>
            </div>
          ))}
        </>
      ) : (
        <ConnectWallet onConnect={setWallet} />
      )}
      {sent ? (
        <p>
          {busy ? (
            <Trans
              message="Sent: {transaction}, waiting for a block …"
              transaction={<ChainHash kind="tx" value={sent} />}
            />
          ) : (
            <Trans message="Sent: {transaction}" transaction={<ChainHash kind="tx" value={sent} />} />
          )}
        </p>
      ) : null}
      <Problem error={error} />
    </Dialog>
  )
}
