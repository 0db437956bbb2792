import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { ChainHash } from '../../../ui/ChainHash.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { ConnectWallet } from '../../../wallet/ConnectWallet.tsx'
import { askNode, type NodeWord, type ProvenTransaction } from '../../../wallet/nodeReceipts.ts'
import type { ConnectedWallet } from '../../../wallet/wallets.ts'
import styles from './Verified.module.css'

const WORDS: Record<NodeWord, string> = {
  same: 'your node has it there',
  other: 'your node has it otherwise',
  absent: 'your node knows no such transaction',
}

/** The transactions that a proof names: the service's word, until the person's own node confirms them. */
export function OnChain({ transactions }: { transactions: readonly (ProvenTransaction & { kind: string })[] }) {
  const [isOpen, setOpen] = useState(false)
  const ask = useMutation({
    mutationFn: ({ wallet }: { wallet: ConnectedWallet }) => askNode(wallet, transactions),
    onSuccess: () => setOpen(false),
  })
  if (transactions.length === 0) return null
  return (
    <>
      <ul className={`plain ${styles.checks}`}>
        {transactions.map(({ kind, tx_hash, block_number }, place) => {
          const word = ask.data?.[place]
          return (
            <li key={tx_hash + kind} className={word === 'same' ? styles.fits : word ? styles.fails : styles.ours}>
              <span aria-hidden="true">{word === 'same' ? '✓' : word ? '✕' : '○'}</span> {kind.replaceAll('_', ' ')} in
              block {block_number}: <ChainHash kind="tx" value={tx_hash} label="Copy the transaction" />{' '}
              <small>{word ? WORDS[word] : 'the service’s word'}</small>
            </li>
          )
        })}
      </ul>
      <div>
        <Button onClick={() => setOpen(true)}>Ask my wallet’s node</Button>
      </div>
      {isOpen ? (
        <Dialog title="Ask my wallet’s node" onClose={() => setOpen(false)}>
          <p>Your wallet’s node is asked for each transaction. Nothing is signed, and nothing is sent.</p>
          <ConnectWallet onConnect={(wallet) => ask.mutate({ wallet })} />
          <Problem error={ask.error} />
        </Dialog>
      ) : null}
    </>
  )
}
