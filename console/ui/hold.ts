import { createContext, useContext, useLayoutEffect } from 'react'

/** Counts what a page waits for before it is shown, beside its reads. */
export const HoldContext = createContext<(change: 1 | -1) => void>(() => {})

/** Keeps the page from being shown for as long as `isHolding`: until its code is there, or a part of it. */
export function useHold(isHolding: boolean): void {
  const hold = useContext(HoldContext)
  useLayoutEffect(() => {
    if (!isHolding) return
    hold(1)
    return () => hold(-1)
  }, [isHolding, hold])
}
