import { usePeople } from '../../../data/org.ts'
import { useChange, useList } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { useOrgParams } from '../../../routing/useOrgParams.ts'
import { NotificationList, useIsAll } from './NotificationList.tsx'
import { Question } from './Question.tsx'

const POLL_MS = 30_000

/** The person's notifications in an org, newest first. The questions of their agents are answered here. */
export function Notifications() {
  const { org } = useOrgParams()
  const query = useIsAll() ? {} : { unread: 'true' as const }
  const list = useList('listNotifications', { params: { org }, query }, { pollMs: POLL_MS })
  const { nameOf } = usePeople(org)
  const mark = useChange('markNotificationsRead', ['listNotifications'])
  return (
    <NotificationList
      title="Notifications"
      here={pathTo('notifications', { org })}
      list={list}
      nameOf={nameOf}
      mark={{ ...mark, call: (body) => mark.mutate({ params: { org }, body }) }}
      question={({ confirmation }) => confirmation && <Question org={org} confirmation={confirmation} />}
    />
  )
}
