import { Link, useSearchParams } from 'wouter'
import { usePeople } from '../../../data/org.ts'
import { useChange, useList } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { useOrgParams } from '../../../routing/useOrgParams.ts'
import { Button } from '../../../ui/Button.tsx'
import styles from '../../../ui/Layout.module.css'
import { PageHead } from '../../../ui/PageHead.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { Section } from '../../../ui/Section.tsx'
import { Table } from '../../../ui/Table.tsx'
import { Time } from '../../../ui/Time.tsx'
import { NotificationPrefs } from './NotificationPrefs.tsx'
import { PushDevices } from './PushDevices.tsx'
import { Question } from './Question.tsx'

const POLL_MS = 30_000

/** What the person is told in an org, newest first; the questions of their agents are answered here. */
export function Notifications() {
  const { org } = useOrgParams()
  const [search] = useSearchParams()
  const isAll = search.has('all')
  const query = isAll ? {} : { unread: 'true' as const }
  const { items, error, more } = useList('listNotifications', { params: { org }, query }, { pollMs: POLL_MS })
  const { nameOf } = usePeople(org)
  const mark = useChange('markNotificationsRead', ['listNotifications'])
  const here = pathTo('notifications', { org })
  return (
    <>
      <PageHead
        title="Notifications"
        actions={
          <Button busy={mark.isPending} onClick={() => mark.mutate({ params: { org }, body: { all: true } })}>
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
          rows={items}
          error={error}
          more={more}
          keyOf={({ id }) => id}
          empty={<p>{isAll ? 'Nothing was told yet.' : 'You have read everything.'} What concerns you appears here.</p>}
          columns={[
            {
              title: 'What',
              cell: ({ id, title, url, confirmation }) =>
                confirmation ? (
                  <Question org={org} confirmation={confirmation} />
                ) : (
                  <Link href={inConsole(url)} onClick={() => mark.mutate({ params: { org }, body: { ids: [id] } })}>
                    {title}
                  </Link>
                ),
            },
            { title: 'By', cell: ({ actor }) => (actor ? nameOf(actor) : 'the service') },
            { title: 'As', cell: ({ role }) => role },
            { title: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
            {
              title: 'Change',
              cell: ({ id, title, read_at }) =>
                read_at ? (
                  'read'
                ) : (
                  <Button
                    kind="quiet"
                    aria-label={`Mark as read: ${title}`}
                    onClick={() => mark.mutate({ params: { org }, body: { ids: [id] } })}
                  >
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

/** Returns where the console's router finds an address of a notification. */
function inConsole(url: string): string {
  const { pathname, hash } = new URL(url)
  return pathname.replace(/^\/console/, '') + hash
}
