import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { market } from '../../data/market.ts'
import { type Body, useChange } from '../../data/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Section } from '../../ui/Section.tsx'
import { ConnectWallet } from '../../wallet/ConnectWallet.tsx'
import { WalletError } from '../../wallet/provider.ts'
import { WholeAddress } from '../../wallet/WholeAddress.tsx'
import { type ConnectedWallet, connect, signMessage } from '../../wallet/wallets.ts'
import styles from './Text.module.css'

/** Binds a wallet of the browser to an account by a signature over a text that is shown first (EIP-4361). */
export function BindWallet({ actor }: { actor: string | undefined }) {
  const caller = actor ? { agent: actor } : {}
  const client = useQueryClient()
  const [wallet, setWallet] = useState<ConnectedWallet>()
  const [challenge, setChallenge] = useState<Body<'challengeWallet'>>()
  const ask = useChange('challengeWallet')
  const choose = (connected: ConnectedWallet) => {
    setWallet(connected)
    ask.mutate({ ...caller, body: { address: connected.address } }, { onSuccess: setChallenge })
  }
  const bind = useMutation({
    mutationFn: async (signed: { wallet: ConnectedWallet; message: string }) => {
      await requireSame(signed.wallet)
      const signature = await signMessage(signed.wallet, signed.message)
      await market.call('verifyWallet', { ...caller, body: { address: signed.wallet.address, signature } })
    },
    onSuccess: () => {
      setChallenge(undefined)
      setWallet(undefined)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['listWallets'] }),
  })
  return (
    <Section title="Bind a wallet">
      {challenge && wallet ? (
        <>
          <p>
            Your wallet will ask you to sign this text. It proves that you hold <WholeAddress value={wallet.address} />,
            moves no money and costs nothing.
          </p>
          <pre data-signed className={styles.text}>
            {challenge.challenge}
          </pre>
          <div className="row">
            <Button
              kind="primary"
              busy={bind.isPending}
              onClick={() => bind.mutate({ wallet, message: challenge.challenge })}
            >
              Sign with the wallet
            </Button>
            <Button kind="quiet" onClick={() => setChallenge(undefined)}>
              Cancel
            </Button>
          </div>
        </>
      ) : (
        <ConnectWallet onConnect={choose} />
      )}
      <Problem error={ask.error ?? bind.error} />
    </Section>
  )
}

// The person may have chosen another account in the wallet since they connected it.
async function requireSame({ provider, address }: ConnectedWallet): Promise<void> {
  const now = await connect(provider)
  if (now.address !== address) {
    throw new WalletError('no_account', `Your wallet is on ${now.address} now. Cancel, and connect it again.`)
  }
}
