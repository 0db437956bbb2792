import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { PageItem } from '../../../../../sdk/market.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import { groupByThing, type NotificationGroup } from './groups.ts'

export type Notification = PageItem<'listNotifications'>

interface Props {
  caption: string
  items: readonly Notification[] | undefined
  error?: unknown
  more?: (() => void) | undefined
  empty: ReactNode
  nameOf: (account: string) => string
  /** What the thing of a notification is called. */
  thingOf: (notification: Notification) => string
  markDone: (ids: string[]) => void
  /** Returns what replaces the link of a notification that is a question. */
  question?: ((notification: Notification) => ReactNode) | undefined
}

/** Notifications, those about the same thing together: each thing is opened, or marked as done, at once. */
export function NotificationGroups(props: Props) {
  const { caption, items, error, more, empty, nameOf, thingOf, markDone } = props
  const groups = items && groupByThing(items)
  return (
    <Table
      caption={caption}
      rows={groups}
      error={error}
      more={more}
      keyOf={({ newest }) => newest.id}
      empty={empty}
      columns={[
        { title: t('What'), cell: (group) => <What group={group} {...props} /> },
        { title: t('By'), cell: ({ newest }) => (newest.actor ? nameOf(newest.actor) : t('the service')) },
        { title: t('When'), cell: ({ newest }) => <Time at={newest.created_at} /> },
        {
          title: t('Done'),
          cell: ({ newest, unread }) =>
            unread.length === 0 ? (
              t('done')
            ) : (
              <Button
                kind="quiet"
                aria-label={t('Mark as done: {title}, {thing}', { title: newest.title, thing: thingOf(newest) })}
                onClick={() => markDone([...unread])}
              >
                {t('Mark as done')}
              </Button>
            ),
        },
      ]}
    />
  )
}

function What({ group, thingOf, markDone, question }: Props & { group: NotificationGroup<Notification> }) {
  const { newest, earlier, unread } = group
  const asked = question?.(newest)
  if (asked) return asked
  return (
    <>
      <Link href={inConsole(newest.url)} onClick={() => markDone([...unread])}>
        {newest.title}
      </Link>
      <div className="small muted">{thingOf(newest)}</div>
      {earlier.length > 0 ? (
        <details className="small">
          <summary>{t('{count} earlier', { count: earlier.length })}</summary>
          <ul className="plain">
            {earlier.map(({ id, title, created_at }) => (
              <li key={id}>
                {title} <Time at={created_at} />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </>
  )
}

/** Returns the path of a notification's URL, without the base path of the console. */
function inConsole(url: string): string {
  const { pathname, hash } = new URL(url)
  return pathname.replace(/^\/console/, '') + hash
}
