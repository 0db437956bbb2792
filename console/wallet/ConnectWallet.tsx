import { useState } from 'react'
import { t } from '../texts/texts.ts'
import { Button } from '../ui/forms/Button.tsx'
import { Problem } from '../ui/forms/Problem.tsx'
import styles from './ConnectWallet.module.css'
import { SANDBOX_RDNS } from './sandboxWallet.ts'
import { type AnnouncedWallet, type ConnectedWallet, connect, useWallets } from './wallets.ts'

/** Lets a person choose a wallet of their browser, and passes its account on. */
export function ConnectWallet({ onConnect }: { onConnect: (wallet: ConnectedWallet) => void }) {
  const wallets = useWallets()
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState<string>()
  const choose = async ({ info, provider }: AnnouncedWallet) => {
    setBusy(info.uuid)
    setError(undefined)
    try {
      onConnect(await connect(provider))
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(undefined)
    }
  }
  if (wallets.length === 0) {
    return (
      <p className="muted">
        {t(
          'No wallet found in this browser. Install an extension that you trust, or open this page in the browser of a wallet app. The wallet then appears here.',
        )}
      </p>
    )
  }
  return (
    <div className="stack">
      <ul className={`plain ${styles.wallets}`}>
        {wallets.map((wallet) => (
          <li key={wallet.info.uuid}>
            <Button busy={busy === wallet.info.uuid} onClick={() => choose(wallet)}>
              {wallet.info.icon.startsWith('data:image/') ? (
                <img src={wallet.info.icon} alt="" className={styles.icon} />
              ) : null}
              {t('Connect {name}', { name: wallet.info.name })}
            </Button>
          </li>
        ))}
      </ul>
      {wallets.some(({ info }) => info.rdns === SANDBOX_RDNS) ? (
        <p className="muted small">
          {t(
            'The sandbox wallet needs no extension. Its key is made in this browser and stays in it, unprotected: it is for this sandbox alone, whose money is worth nothing.',
          )}
        </p>
      ) : null}
      <Problem error={error} />
    </div>
  )
}
