import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ReceiptFault, ReceiptProof } from '../../../../../sdk/receipts.ts'
import { type Body, useRead } from '../../../../data/queries.ts'
import { type Message, msg, t } from '../../../../texts/texts.ts'
import { SaveJson } from '../../../../ui/files/SaveJson.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../../ui/layout/DescriptionList.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { OnChain } from './internal/OnChain.tsx'
import styles from './Verified.module.css'

const CHECKS: readonly [ReceiptFault, Message][] = [
  ['document', msg('the document has this SHA-256')],
  ['signature', msg('a key of the market signed it')],
  ['sum', msg('what was paid out is the price')],
  ['settlement', msg('it names the transaction that settled it')],
  ['audit', msg('the audit log has it in its place')],
]

/** A receipt's proof, checked in this page: each line is proven here, or does not fit. */
export function Verified({ answer }: { answer: Body<'verifyReceipt'> }) {
  const config = useRead('getPublicConfig', {})
  const keys = config.data?.keys.keys
  const { proof } = answer
  const checked = useQuery({
    // Keyed by what is checked, so that reading the same keys again does not hide the ticks for a moment. Nor
    // does a newer proof of the same receipt, which the log's next signed head makes: the former result
    // stands until it is checked.
    queryKey: ['checked', answer.receipt_urn.body, proof, keys],
    placeholderData: (former, query) => (query?.queryKey[1] === answer.receipt_urn.body ? former : undefined),
    enabled: proof !== null && keys !== undefined,
    queryFn: async () => {
      const { checkReceipt } = await import('../../../../../sdk/receipts.ts')
      return checkReceipt(proof as ReceiptProof, keys ?? [])
    },
  })
  if (!proof) return <p className="muted">{t('The receipt is signed once the settlement is final on chain.')}</p>
  const { document } = proof
  const amounts = document ? [document.seller_net, document.market_fee, document.refunded, document.price] : []
  return (
    <>
      {document ? (
        <DescriptionList
          items={[
            [t('Seller'), <Amount value={document.seller_net} aligned={amounts} />],
            [t('Fee'), <Amount value={document.market_fee} aligned={amounts} />],
            [t('Refunded'), <Amount value={document.refunded} aligned={amounts} />],
            [`= ${t('price')}`, <Amount value={document.price} aligned={amounts} />],
          ]}
        />
      ) : (
        <p className="muted">{t('Only its parties can see its contents.')}</p>
      )}
      <ul className={`plain ${styles.checks}`}>
        {CHECKS.map(([fault, words]) => (
          <Check key={fault} fits={checked.data && !checked.data.includes(fault)}>
            {t(words)}
          </Check>
        ))}
      </ul>
      <OnChain transactions={proof.settlement} />
      <Problem error={checked.error} />
      <div>
        <SaveJson name={`receipt-${answer.receipt_urn.body}`} value={answer}>
          {t('Save the proof')}
        </SaveJson>
      </div>
    </>
  )
}

function Check({ fits, children }: { fits: boolean | undefined; children: ReactNode }) {
  if (fits === undefined) return <li className="muted">… {children}</li>
  return (
    <li className={fits ? styles.fits : styles.fails}>
      <span aria-hidden="true">{fits ? '✓' : '✕'}</span> {children}
      {fits ? '' : `: ${t('it does not')}`}
    </li>
  )
}
