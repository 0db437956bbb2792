import { useState } from 'react'
import { type Body, useChange, useRead } from '../../../../data/queries.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../../ui/layout/DescriptionList.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { ConnectWallet } from '../../../../wallet/ConnectWallet.tsx'
import type { ConnectedWallet } from '../../../../wallet/wallets.ts'
import { Withdraw } from '../Withdraw.tsx'

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

/** Gives a wallet of the sandbox tokens and gas, which are worth nothing. */
function Faucet({ address }: { address: string }) {
  const request = useChange('requestSandboxFunds')
  return (
    <div className="row">
      <Button busy={request.isPending} onClick={() => request.mutate({ body: { address } })}>
        {t('Get sandbox money')}
      </Button>
      {request.data ? (
        <span role="status">
          <Trans
            message="The wallet holds {amount} USDC now, and gas."
            amount={<Amount value={request.data.token_balance} />}
          />
        </span>
      ) : (
        <span className="muted">{t('Tokens and gas of this sandbox, which are worth nothing.')}</span>
      )}
      <Problem error={request.error} />
    </div>
  )
}
