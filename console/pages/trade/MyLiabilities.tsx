import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formatAmount } from '../../../protocol/encoding/amounts.ts'
import { isProblem } from '../../../sdk/problem.ts'
import { market } from '../../data/market.ts'
import { trustedMarket } from '../../data/trusted.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Section } from '../../ui/Section.tsx'
import { ConnectWallet } from '../../wallet/ConnectWallet.tsx'
import { type ConnectedWallet, ensureChain, nodeOf } from '../../wallet/wallets.ts'
import { ProvedLiabilities } from './ProvedLiabilities.tsx'

/** What custody owes the person by its signed books: checked in this page, and on demand against the chain by their own node. */
export function MyLiabilities() {
  const [isOpen, setOpen] = useState(false)
  const prove = useMutation({ mutationFn: proveHere, onSuccess: () => setOpen(false) })
  const hasNone = isProblem(prove.error, 'market:error:resource/not-found')
  return (
    <Section
      title="Your part of what custody owes"
      actions={
        <>
          <Button busy={prove.isPending} onClick={() => prove.mutate({})}>
            Check it here
          </Button>
          {prove.data ? <Button onClick={() => setOpen(true)}>Ask my wallet’s node</Button> : null}
        </>
      }
    >
      <p className="muted">
        Custody signs a root over everything that it owes. This page checks that what is owed to you is under it, once,
        and that others are shown the same root. Whether the amounts are right only you can say.
      </p>
      {hasNone ? <p className="muted">Nothing has been published yet: it is, every so often.</p> : null}
      {prove.error && !hasNone ? <Problem error={prove.error} /> : null}
      {prove.data ? (
        <>
          <p role="status">
            <Amount value={formatAmount(prove.data.totalMicros)} /> USDC are owed to you.
          </p>
          <ProvedLiabilities proved={prove.data} isOnChain={prove.variables.wallet !== undefined} />
        </>
      ) : null}
      {isOpen ? (
        <Dialog title="Ask my wallet’s node" onClose={() => setOpen(false)}>
          <p>
            Your wallet’s node is asked whether the block is there, and whether the wallets of the service held as much
            in it as is owed. Nothing is signed, and nothing is sent.
          </p>
          <ConnectWallet onConnect={(wallet) => prove.mutate({ wallet })} />
          <Problem error={prove.error} />
        </Dialog>
      ) : null}
    </Section>
  )
}

async function proveHere({ wallet }: { wallet?: ConnectedWallet }) {
  const { proveBalances } = await import('../../../sdk/liabilities.ts')
  const { body: config } = await market.call('getPublicConfig', {})
  if (!wallet) return proveBalances(market, config.keys.keys)
  const { chainId, token, hotWallet } = await trustedMarket()
  await ensureChain(wallet, chainId)
  const wallets = config.cold_wallet === null ? [hotWallet] : [hotWallet, config.cold_wallet]
  return proveBalances(market, config.keys.keys, { chain: { client: nodeOf(wallet), token, wallets } })
}
