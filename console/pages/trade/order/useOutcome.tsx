import { type ReactNode, useEffect, useRef, useState } from 'react'
import { remark } from '../../../data/remark.ts'
import { Button } from '../../../ui/Button.tsx'
import type { Viewer } from './Order.tsx'
import type { Refund } from './signOutcome.ts'

const LEFT = 'left'

/**
 * What decides on the money of an order is signed in the person's wallet first, where it is connected, so that the money goes at
 * once. Where it is not, or the person declines, the act goes on, and the page says what that means. Who leaves while the wallet still
 * asks has decided nothing.
 */
export function useOutcome(viewer: Viewer) {
  const [goOn, setGoOn] = useState<() => void>()
  const leave = useRef<() => void>(undefined)
  useEffect(() => () => leave.current?.(), [])
  /** Has the outcome signed, and then does the act. Throws what the act throws. */
  const decide = async (order: string, refund: Refund, act: () => Promise<unknown>): Promise<void> => {
    const skip = new AbortController()
    const { signal } = skip
    leave.current = () => skip.abort(LEFT)
    remark(undefined)
    const skipped = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('You went on without your wallet.')))
    })
    const onAsk = () => setGoOn(() => () => skip.abort())
    const signed = import('./signOutcome.ts').then(({ signOutcome }) =>
      signOutcome(order, viewer, refund, { signal, onAsk }),
    )
    const why = await Promise.race([signed, skipped]).then(() => undefined, wordsOf)
    if (signal.reason === LEFT) return
    leave.current = undefined
    setGoOn(undefined)
    await act()
    if (why) remark(`${why} It was done without the wallet’s signature, so the payout may wait.`)
  }
  return { decide, asking: goOn ? asking(goOn) : null }
}

function asking(goOn: () => void): ReactNode {
  return (
    <div className="row" role="status">
      <span>Your wallet asks you to sign what happens to the money, so that it goes at once.</span>
      <Button kind="quiet" onClick={goOn}>
        Go on without it
      </Button>
    </div>
  )
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
