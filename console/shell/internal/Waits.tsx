import { useEffect, useRef } from 'react'
import { useWait, type Wait } from '../../data/waits.ts'
import { t } from '../../texts/texts.ts'
import { clockText } from '../../ui/values/format.ts'
import styles from '../Shell.module.css'

/**
 * Says when a call is repeated that was delayed or not answered. It is shown above everything, dialogs too.
 */
export function Waits() {
  const wait = useWait()
  return wait ? <Notice wait={wait} /> : null
}

function Notice({ wait: { untilMs, status } }: { wait: Wait }) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => notice.current?.showPopover(), [])
  return (
    <div ref={notice} popover="manual" role="status" className={styles.waits}>
      {status === 429
        ? t('There were too many calls at once. The call is repeated automatically at {time}.', {
            time: clockText(new Date(untilMs).toISOString()),
          })
        : t('The service does not answer now. The call is repeated automatically at {time}.', {
            time: clockText(new Date(untilMs).toISOString()),
          })}
    </div>
  )
}
