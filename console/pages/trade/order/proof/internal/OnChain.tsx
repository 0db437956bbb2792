import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Trans } from '../../../../../texts/Trans.tsx'
import { type Message, msg, t } from '../../../../../texts/texts.ts'
import { word } from '../../../../../texts/words.ts'
import { Button } from '../../../../../ui/forms/Button.tsx'
import { Dialog } from '../../../../../ui/forms/Dialog.tsx'
import { Problem } from '../../../../../ui/forms/Problem.tsx'
import { ChainHash } from '../../../../../ui/values/ChainHash.tsx'
import { ConnectWallet } from '../../../../../wallet/ConnectWallet.tsx'
import { askNode, type NodeWord, type ProvenTransaction } from '../../../../../wallet/nodeReceipts.ts'
import type { ConnectedWallet } from '../../../../../wallet/wallets.ts'
import styles from '../Verified.module.css'

const ANSWERS: Record<NodeWord, Message> = {
  same: msg('your node confirms it'),
  other: msg('your node has it otherwise'),
  absent: msg('your node knows no such transaction'),
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
          const answer = ask.data?.[place]
          return (
            <li key={tx_hash + kind} className={answer === 'same' ? styles.fits : answer ? styles.fails : styles.ours}>
              <span aria-hidden="true">{answer === 'same' ? '✓' : answer ? '✕' : '○'}</span>{' '}
              <Trans
                message="{kind} in block {number}: {transaction}"
                kind={word(kind)}
                number={block_number}
                transaction={<ChainHash kind="tx" value={tx_hash} label={t('Copy the transaction')} />}
              />{' '}
              <small>{answer ? t(ANSWERS[answer]) : t('the service’s word')}</small>
            </li>
          )
        })}
      </ul>
      <div>
        <Button onClick={() => setOpen(true)}>{t('Ask my wallet’s node')}</Button>
      </div>
      {isOpen ? (
        <Dialog title={t('Ask my wallet’s node')} onClose={() => setOpen(false)}>
          <p>{t('Your wallet’s node is asked for each transaction. Nothing is signed, and nothing is sent.')}</p>
          <ConnectWallet onConnect={(wallet) => ask.mutate({ wallet })} />
          <Problem error={ask.error} />
        </Dialog>
      ) : null}
    </>
  )
}
