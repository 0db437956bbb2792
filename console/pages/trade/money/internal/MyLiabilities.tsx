import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formatAmount } from '../../../../../protocol/encoding/amounts.ts'
import { isProblem } from '../../../../../sdk/problem.ts'
import { market } from '../../../../data/market.ts'
import { trustedMarket } from '../../../../data/storage/trusted.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Dialog } from '../../../../ui/forms/Dialog.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { ConnectWallet } from '../../../../wallet/ConnectWallet.tsx'
import { type ConnectedWallet, ensureChain, nodeOf } from '../../../../wallet/wallets.ts'
import { ProvedLiabilities } from './ProvedLiabilities.tsx'

/**
 * Custody's signed liabilities to the person: checked in this page, and on demand against the chain by the
 * node of their wallet.
 */
export function MyLiabilities() {
  const [isOpen, setOpen] = useState(false)
  const prove = useMutation({ mutationFn: proveHere, onSuccess: () => setOpen(false) })
  const hasNone = isProblem(prove.error, 'market:error:resource/not-found')
  return (
    <Section
      title={t('Your part of what custody owes')}
      actions={
        <>
          <Button busy={prove.isPending} onClick={() => prove.mutate({})}>
            {t('Check it here')}
          </Button>
          {prove.data ? <Button onClick={() => setOpen(true)}>{t('Ask my wallet’s node')}</Button> : null}
        </>
      }
    >
      <p className="muted">
        {t(
          'Custody signs a root over all of its liabilities. This page checks that your balance is under the root, once, and that others are shown the same root. Only you can say whether the amounts are right.',
        )}
      </p>
      {hasNone ? <p className="muted">{t('No statement has been published yet.')}</p> : null}
      {prove.error && !hasNone ? <Problem error={prove.error} /> : null}
      {prove.data ? (
        <>
          <p role="status">
            <Trans
              message="{amount} USDC are owed to you."
              amount={<Amount value={formatAmount(prove.data.totalMicros)} />}
            />
          </p>
          <ProvedLiabilities proved={prove.data} isOnChain={prove.variables.wallet !== undefined} />
        </>
      ) : null}
      {isOpen ? (
        <Dialog title={t('Ask my wallet’s node')} onClose={() => setOpen(false)}>
          <p>
            {t(
              'Your wallet’s node says whether the block exists and whether the wallets of the service held the amount that is owed. Nothing is signed, and nothing is sent.',
            )}
          </p>
          <ConnectWallet onConnect={(wallet) => prove.mutate({ wallet })} />
          <Problem error={prove.error} />
        </Dialog>
      ) : null}
    </Section>
  )
}

async function proveHere({ wallet }: { wallet?: ConnectedWallet }) {
  const { proveBalances } = await import('../../../../../sdk/liabilities.ts')
  const { body: config } = await market.call('getPublicConfig', {})
  if (!wallet) return proveBalances(market, config.keys.keys)
  const { chainId, token, hotWallet } = await trustedMarket()
  await ensureChain(wallet, chainId)
  const wallets = config.cold_wallet === null ? [hotWallet] : [hotWallet, config.cold_wallet]
  return proveBalances(market, config.keys.keys, { chain: { client: nodeOf(wallet), token, wallets } })
}
