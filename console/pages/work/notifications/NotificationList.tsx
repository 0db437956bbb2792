import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { PageItem } from '../../../../sdk/market.ts'
import { Button } from '../../../ui/Button.tsx'
import styles from '../../../ui/Layout.module.css'
import { PageHead } from '../../../ui/PageHead.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { Section } from '../../../ui/Section.tsx'
import { Table } from '../../../ui/Table.tsx'
import { Time } from '../../../ui/Time.tsx'
import { NotificationPrefs } from './NotificationPrefs.tsx'
import { PushDevices } from './PushDevices.tsx'

type Notification = PageItem<'listNotifications'>

interface Props {
  title: string
  here: string
  list: { items: Notification[] | undefined; error: unknown; more: (() => void) | undefined }
  nameOf: (account: string) => string
  mark: { error: unknown; isPending: boolean; call: (which: { all: true } | { ids: string[] }) => void }
  /** Returns what replaces the link of a notification that is a question. */
  question?: (notification: Notification) => ReactNode
}

/** A list of notifications, newest first, all or only the unread ones, with the settings below it. */
export function NotificationList({ title, here, list, nameOf, mark, question }: Props) {
  const isAll = useIsAll()
  return (
    <>
      <PageHead
        title={title}
        actions={
          <Button busy={mark.isPending} onClick={() => mark.call({ all: true })}>
            Mark all as read
          </Button>
        }
      />
      <nav aria-label="Which notifications" className={styles.filters}>
        <Link href={here} aria-current={isAll ? undefined : 'true'}>
          Unread
        </Link>
        <Link href={`${here}?all`} aria-current={isAll ? 'true' : undefined}>
          All
        </Link>
      </nav>
      <Problem error={mark.error} />
      <Section title={isAll ? 'All' : 'Unread'}>
        <Table
          caption="Notifications, the newest first"
          rows={list.items}
          error={list.error}
          more={list.more}
          keyOf={({ id }) => id}
          empty={<p>{isAll ? 'No notifications yet.' : 'You’re all caught up.'} New notifications appear here.</p>}
          columns={[
            {
              title: 'What',
              cell: (notification) =>
                question?.(notification) ?? (
                  <Link href={inConsole(notification.url)} onClick={() => mark.call({ ids: [notification.id] })}>
                    {notification.title}
                  </Link>
                ),
            },
            { title: 'By', cell: ({ actor }) => (actor ? nameOf(actor) : 'the service') },
            { title: 'As', cell: ({ role }) => role },
            { title: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
            {
              title: 'Change',
              cell: ({ id, title: what, read_at }) =>
                read_at ? (
                  'read'
                ) : (
                  <Button kind="quiet" aria-label={`Mark as read: ${what}`} onClick={() => mark.call({ ids: [id] })}>
                    Mark as read
                  </Button>
                ),
            },
          ]}
        />
      </Section>
      <NotificationPrefs />
      <PushDevices />
    </>
  )
}

/** Whether the list includes the notifications that were read. */
export function useIsAll(): boolean {
  const [search] = useSearchParams()
  return search.has('all')
}

/** Returns the path of a notification's URL, without the base path of the console. */
function inConsole(url: string): string {
  const { pathname, hash } = new URL(url)
  return pathname.replace(/^\/console/, '') + hash
}
