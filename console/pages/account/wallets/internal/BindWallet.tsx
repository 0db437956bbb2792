import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { trustedMarket } from '../../../../data/storage/trusted.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { bindBy, bindingText } from '../../../../wallet/binding.ts'
import { ConnectWallet } from '../../../../wallet/ConnectWallet.tsx'
import { WholeAddress } from '../../../../wallet/WholeAddress.tsx'
import type { ConnectedWallet } from '../../../../wallet/wallets.ts'

/** Binds a wallet of the browser to an account by a signature over a text that is shown first (EIP-4361). */
export function BindWallet({ actor }: { actor: string | undefined }) {
  const client = useQueryClient()
  const [wallet, setWallet] = useState<ConnectedWallet>()
  const [challenge, setChallenge] = useState<string>()
  const ask = useMutation({
    mutationFn: async ({ connected }: { connected: ConnectedWallet }) =>
      bindingText(connected, (await trustedMarket()).chainId, actor),
    onSuccess: setChallenge,
  })
  const choose = (connected: ConnectedWallet) => {
    setWallet(connected)
    ask.mutate({ connected })
  }
  const bind = useMutation({
    mutationFn: async (signed: { wallet: ConnectedWallet; message: string }) => {
      await bindBy(signed.wallet, signed.message, actor)
    },
    onSuccess: () => {
      setChallenge(undefined)
      setWallet(undefined)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['listWallets'] }),
  })
  return (
    <Section title={t('Bind a wallet')}>
      {challenge && wallet ? (
        <>
          <p>
            <Trans
              message="Your wallet will ask you to sign this text. It proves that you hold {wholeAddress}, moves no money and costs nothing."
              wholeAddress={<WholeAddress value={wallet.address} />}
            />
          </p>
          <pre data-signed>{challenge}</pre>
          <div className="row">
            <Button kind="primary" busy={bind.isPending} onClick={() => bind.mutate({ wallet, message: challenge })}>
              {t('Sign with the wallet')}
            </Button>
            <Button kind="quiet" onClick={() => setChallenge(undefined)}>
              {t('Cancel')}
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
