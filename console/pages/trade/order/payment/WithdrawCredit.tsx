import { useState } from 'react'
import { useRead } from '../../../../data/queries.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Dialog } from '../../../../ui/forms/Dialog.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { amountText } from '../../../../ui/values/format.ts'
import { ConnectWallet } from '../../../../wallet/ConnectWallet.tsx'
import { WholeAddress } from '../../../../wallet/WholeAddress.tsx'
import type { ConnectedWallet } from '../../../../wallet/wallets.ts'
import { Withdraw } from '../../../account/wallets/Withdraw.tsx'

interface Credit {
  address: string
  claimable: string
}

interface Props {
  /** What is withdrawn, on the button. */
  amount: string
  /** The wallets that have it at the contract. */
  wallets: readonly Credit[]
}

/**
 * A button that withdraws credit from the contract. The wallet that has it does so itself; nobody else can.
 */
export function WithdrawCredit({ amount, wallets }: Props) {
  const [isOpen, setOpen] = useState(false)
  // The dialog stays while it shows what was just withdrawn.
  if (wallets.length === 0 && !isOpen) return null
  return (
    <>
      <div>
        <Button onClick={() => setOpen(true)}>{t('Withdraw {amount}', { amount: amountText(amount) })}</Button>
      </div>
      {isOpen ? <WithdrawDialog wallets={wallets} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function WithdrawDialog({ wallets, onClose }: Pick<Props, 'wallets'> & { onClose: () => void }) {
  const { data: config } = useRead('getPublicConfig', {})
  const [wallet, setWallet] = useState<ConnectedWallet>()
  return (
    <Dialog title={t('Withdraw from the contract')} onClose={onClose}>
      {wallet && config ? (
        <Withdraw wallet={wallet} config={config} onClose={() => setWallet(undefined)} />
      ) : (
        <>
          <p>
            {t(
              'Each wallet withdraws its own credit, all at once, by a transaction that it signs. Connect the one that has it:',
            )}
          </p>
          <ul className="plain">
            {wallets.map(({ address, claimable }) => (
              <li key={address}>
                <Trans
                  message="{amount} at {address}"
                  amount={<Amount value={claimable} />}
                  address={<WholeAddress value={address} />}
                />
              </li>
            ))}
          </ul>
          <ConnectWallet onConnect={setWallet} />
        </>
      )}
    </Dialog>
  )
}
