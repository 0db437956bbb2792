import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { MOST_COUNTED, useUnreadCount } from '../../../data/unread.ts'
import { pathTo } from '../../../routing/paths.ts'
import { msg, t } from '../../../texts/texts.ts'
import { isHere } from '../navigation.ts'
import styles from './PhoneBar.module.css'

const INBOX = msg('Inbox')

const PLACES = [
  { title: msg('Home'), href: pathTo('home'), icon: 'M2.5 7.5 8 3l5.5 4.500V13.500h-3.500v-4h-4v4H2.500z' },
  { title: msg('Orders'), href: pathTo('orders'), icon: 'M3.5 2.500h9v11h-9zM6 5.500h4M6 8h4M6 10.500h2' },
  {
    title: msg('Market'),
    href: pathTo('market'),
    icon: 'M7 2.500a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3 13.5 13.5',
  },
  {
    title: INBOX,
    href: pathTo('tradeNotifications'),
    icon: 'M3 12h10l-1.2-2V7a3.8 3.8 0 0 0-7.6 0v3zM6.5 13.700h3',
  },
]
const MORE = 'M2.5 4.500h11M2.5 8h11M2.5 11.500h11'
const CLOSE = 'M3.5 3.500l9 9M12.5 3.500l-9 9'

interface Props {
  path: string
  /** Whether the rest of the navigation is shown. */
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
}

/** The navigation of a phone: four places below the page, and the rest behind "More". */
export function PhoneBar({ path, isOpen, setOpen }: Props) {
  const count = useUnreadCount()
  return (
    <nav aria-label={t('Main pages')} className={styles.bar}>
      {PLACES.map(({ title, href, icon }) => (
        <Link
          key={href}
          href={href}
          className={styles.place}
          aria-current={!isOpen && isHere({ title, href }, path) ? 'page' : undefined}
          onClick={() => setOpen(false)}
        >
          <Place title={t(title)} icon={icon}>
            {title === INBOX && count > 0 ? <Unread count={count} /> : null}
          </Place>
        </Link>
      ))}
      <button type="button" className={styles.place} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Place title={isOpen ? t('Close') : t('More')} icon={isOpen ? CLOSE : MORE} />
      </button>
    </nav>
  )
}

function Unread({ count }: { count: number }) {
  return (
    <span className={styles.count}>
      {count > MOST_COUNTED ? `${MOST_COUNTED}+` : count}
      <span className="hidden"> {t('unread')}</span>
    </span>
  )
}

function Place({ title, icon, children }: { title: string; icon: string; children?: ReactNode }) {
  return (
    <>
      <svg viewBox="0 0 16 16" width="20" height="20" fill="none" stroke="currentColor" aria-hidden="true">
        <path d={icon} />
      </svg>
      {title}
      {children}
    </>
  )
}
