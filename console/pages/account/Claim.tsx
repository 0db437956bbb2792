import { useState } from 'react'
import { type Body, useRead } from '../../data/queries.ts'
import { Amount } from '../../ui/Amount.tsx'
import { DescriptionList } from '../../ui/DescriptionList.tsx'
import { Section } from '../../ui/Section.tsx'
import { ConnectWallet } from '../../wallet/ConnectWallet.tsx'
import type { ConnectedWallet } from '../../wallet/wallets.ts'
import { Faucet } from './Faucet.tsx'
import { Withdraw } from './Withdraw.tsx'

/** What the escrow contract keeps for the person's wallets, and its way out, which needs nobody's help. */
export function Claim({ config }: { config: Body<'getPublicConfig'> }) {
  const { data: balances } = useRead('readBalances', {})
  const [wallet, setWallet] = useState<ConnectedWallet>()
  return (
    <Section title="Withdraw from the escrow contract">
      <p className="muted">
        What you earn in contract escrow, and what comes back to you, is your wallet's credit at the contract. You take
        it out by a transaction of your own; the contract asks nobody else.
      </p>
      {balances ? (
        <DescriptionList
          facts={[
            ['Of all your wallets, as our ledger has it', <Amount key="all" value={balances.contract.claimable} />],
          ]}
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
