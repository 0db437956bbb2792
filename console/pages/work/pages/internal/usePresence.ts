import { useEffect, useState } from 'react'
import { market } from '../../../../data/market.ts'
import type { Body } from '../../../../data/queries.ts'

/** Less than a third of `page_presence_seconds`, so that a call may fail unnoticed. */
const INTERVAL_MS = 5_000

type Others = Body<'setPagePresence'>['others']

/** Says that the person has a page open, while its tab is in front, and returns who else has. */
export function usePresence(org: string, page: string, isEditing: boolean): Others {
  const [others, setOthers] = useState<Others>([])
  useEffect(() => {
    const end = new AbortController()
    let isSaying = false
    const say = async () => {
      if (isSaying || document.hidden) return
      isSaying = true
      const body = { is_editing: isEditing }
      const answer = await market
        .call('setPagePresence', { params: { org, ref: page }, body, signal: end.signal })
        .catch(() => undefined)
      if (!end.signal.aborted) setOthers(answer?.body.others ?? [])
      isSaying = false
    }
    void say()
    const timer = setInterval(say, INTERVAL_MS)
    document.addEventListener('visibilitychange', say)
    return () => {
      end.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', say)
    }
  }, [org, page, isEditing])
  // Without this, others see the person there until their presence expires.
  useEffect(
    () => () => void market.call('endPagePresence', { params: { org, ref: page } }).catch(() => undefined),
    [org, page],
  )
  return others
}
