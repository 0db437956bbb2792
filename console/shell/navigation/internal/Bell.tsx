import { Link } from 'wouter'
import { MOST_COUNTED, useUnreadCount } from '../../../data/unread.ts'
import { pathTo } from '../../../routing/paths.ts'
import { t } from '../../../texts/texts.ts'
import styles from './Bell.module.css'

/** The way to the inbox, with how many notifications are unread. */
export function Bell({ onClick }: { onClick: () => void }) {
  const count = useUnreadCount()
  const shown = count > MOST_COUNTED ? `${MOST_COUNTED}+` : String(count)
  return (
    <Link
      href={pathTo('tradeNotifications')}
      className={styles.bell}
      onClick={onClick}
      aria-label={count === 0 ? t('Inbox, nothing unread') : t('Inbox, {count} unread', { count: shown })}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" aria-hidden="true">
        <path d="M3 12h10l-1.2-2V7a3.8 3.8 0 0 0-7.6 0v3zM6.5 13.7h3" />
      </svg>
      {count === 0 ? null : <span className={styles.count}>{shown}</span>}
    </Link>
  )
}
