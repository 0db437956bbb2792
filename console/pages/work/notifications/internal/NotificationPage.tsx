import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'wouter'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import styles from '../../../../ui/layout/Layout.module.css'
import { PageHead } from '../../../../ui/layout/PageHead.tsx'
import { NotificationPrefs } from './NotificationPrefs.tsx'
import { PushDevices } from './PushDevices.tsx'

interface Props {
  title: string
  here: string
  mark: { error: unknown; isPending: boolean; all: () => void }
  children: ReactNode
}

/** A page of notifications, all or only the unread ones, with the settings below them. */
export function NotificationPage({ title, here, mark, children }: Props) {
  const isAll = useIsAll()
  return (
    <>
      <PageHead
        title={title}
        actions={
          <Button busy={mark.isPending} onClick={mark.all}>
            {t('Mark all as done')}
          </Button>
        }
      />
      <nav aria-label={t('Which notifications')} className={styles.filters}>
        <Link href={here} aria-current={isAll ? undefined : 'true'}>
          {t('Unread')}
        </Link>
        <Link href={`${here}?all`} aria-current={isAll ? 'true' : undefined}>
          {t('All')}
        </Link>
      </nav>
      <Problem error={mark.error} />
      {children}
      <NotificationPrefs />
      <PushDevices />
    </>
  )
}

/** What stands where there is no notification. */
export function NoNotifications() {
  return (
    <p>
      {useIsAll()
        ? t('No notifications yet. New notifications appear here.')
        : t('You’re all caught up. New notifications appear here.')}
    </p>
  )
}

/** Whether the page includes the notifications that were read. */
export function useIsAll(): boolean {
  const [search] = useSearchParams()
  return search.has('all')
}
