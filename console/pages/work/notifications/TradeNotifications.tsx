import { useChange, useList } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { NotificationList, useIsAll } from './NotificationList.tsx'

const POLL_MS = 30_000

/** The person's notifications about the trades of their agents, newest first. */
export function TradeNotifications() {
  const query = useIsAll() ? {} : { unread: 'true' as const }
  const list = useList('listTradeNotifications', { query }, { pollMs: POLL_MS })
  const mark = useChange('markTradeNotificationsRead', ['listTradeNotifications'])
  return (
    <NotificationList
      title="Notifications of your trades"
      here={pathTo('tradeNotifications')}
      list={list}
      nameOf={() => 'the other party'}
      mark={{ ...mark, call: (body) => mark.mutate({ body }) }}
    />
  )
}
