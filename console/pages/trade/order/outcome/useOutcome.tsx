import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { PayeeChanged } from '../../../../../sdk/payees.ts'
import { remark } from '../../../../data/remark.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { ChangedPayee, payeeChangeOf } from '../payment/ChangedPayee.tsx'
import type { Viewer } from '../record/order.ts'
import type { Refund } from './internal/signOutcome.ts'

const LEFT = 'left'

/**
 * An act that decides on the money of an order is first signed in the person's wallet, if it is connected, so
 * that the money moves at once. Without the wallet, or if the person declines, the act continues, and the
 * page says what that means. If the person leaves while the wallet still asks, nothing is decided; nor if the
 * seller's wallet differs from the one that this browser signed for before, until the person agrees.
 */
export function useOutcome(viewer: Viewer) {
  const [goOn, setGoOn] = useState<() => void>()
  const [change, setChange] = useState<PayeeChanged>()
  const leave = useRef<() => void>(undefined)
  useEffect(() => () => leave.current?.(), [])
  /**
   * Has the outcome signed, and then does the act. Throws if the seller's wallet has changed, and what the
   * act throws.
   */
  const decide = async (order: string, refund: Refund, act: () => Promise<unknown>): Promise<void> => {
    const skip = new AbortController()
    const { signal } = skip
    leave.current = () => skip.abort(LEFT)
    remark(undefined)
    const skipped = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error(t('You continued without your wallet.'))))
    })
    const onAsk = () => setGoOn(() => () => skip.abort())
    const signed = import('./internal/signOutcome.ts').then(({ signOutcome }) =>
      signOutcome(order, viewer, refund, { signal, onAsk }),
    )
    const failure = await Promise.race([signed, skipped]).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (signal.reason === LEFT) return
    leave.current = undefined
    setGoOn(undefined)
    const changed = payeeChangeOf(failure)
    setChange(changed)
    if (changed) throw new Error(t('Nothing was decided.'))
    await act()
    if (failure)
      remark(`${wordsOf(failure)} ${t('It was done without the wallet’s signature, so the payout may wait.')}`)
  }
  const changed = change ? <ChangedPayee change={change} onAgree={() => setChange(undefined)} /> : null
  return { decide, asking: goOn ? asking(goOn) : changed }
}

function asking(goOn: () => void): ReactNode {
  return (
    <div className="row" role="status">
      <span>{t('Your wallet asks you to sign where the money goes, so that it moves at once.')}</span>
      <Button kind="quiet" onClick={goOn}>
        {t('Continue without it')}
      </Button>
    </div>
  )
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
