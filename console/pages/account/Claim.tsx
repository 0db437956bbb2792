import { useState } from 'react'
import { type Body, useRead } from '../../data/queries.ts'
import { t } from '../../texts/texts.ts'
import { DescriptionList } from '../../ui/layout/DescriptionList.tsx'
import { Section } from '../../ui/layout/Section.tsx'
import { Amount } from '../../ui/values/Amount.tsx'
import { ConnectWallet } from '../../wallet/ConnectWallet.tsx'
import type { ConnectedWallet } from '../../wallet/wallets.ts'
import { Faucet } from './Faucet.tsx'
import { Withdraw } from './Withdraw.tsx'

/** The credit of the person's wallets at the escrow contract, and how they withdraw it. */
export function Claim({ config }: { config: Body<'getPublicConfig'> }) {
  const { data: balances } = useRead('readBalances', {})
  const [wallet, setWallet] = useState<ConnectedWallet>()
  return (
    <Section title={t('Withdraw from the escrow contract')}>
      <p className="muted">
        {t(
          'Earnings and refunds in contract escrow are credited to your wallet at the contract. You withdraw them by a transaction of your own, which nobody else has to allow.',
        )}
      </p>
      {balances ? (
        <DescriptionList
          items={[[t('Available to withdraw, all wallets'), <Amount key="all" value={balances.contract.claimable} />]]}
        />
      ) : null}
      {wallet ? (
        <>
          <Withdraw wallet={wallet} config={config} onClose={() => setWallet(undefined)} />
          {config.sandbox ? <Faucet address={wallet.address} /> : null}
        </>
      ) : (
        <ConnectWallet onConnect={setWallet} />
      )}
    </Section>
  )
}
