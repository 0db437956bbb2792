import { Link } from 'wouter'
import { useAll } from '../../../data/all.ts'
import { useChange, useList } from '../../../data/queries.ts'
import { useUnread } from '../../../data/unread.ts'
import { pathTo } from '../../../routing/paths.ts'
import { t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { shortened } from '../../../ui/values/format.ts'
import { NotificationGroups } from './internal/NotificationGroups.tsx'
import { NoNotifications, NotificationPage, useIsAll } from './internal/NotificationPage.tsx'
import { OrgNotifications } from './internal/OrgNotifications.tsx'

const POLL_MS = 30_000

/** What the person is told: of the trades of their agents, and of the work in each of their orgs. */
export function Inbox() {
  const { data: orgs = [], error } = useAll('listOrgs', {})
  const unread = useUnread()
  const isAll = useIsAll()
  const isShown = (count: number | undefined) => isAll || (count ?? 0) > 0
  const trades = useChange('markTradeNotificationsRead', ['listTradeNotifications', 'countUnreadNotifications'])
  const work = useChange('markNotificationsRead', ['listNotifications', 'countUnreadNotifications'])
  const all = () => {
    trades.mutate({ body: { all: true } })
    for (const { slug } of orgs) work.mutate({ params: { org: slug }, body: { all: true } })
  }
  const mark = { all, error: trades.error ?? work.error, isPending: trades.isPending || work.isPending }
  return (
    <NotificationPage title={t('Inbox')} here={pathTo('tradeNotifications')} mark={mark}>
      <Problem error={error} />
      {unread?.unread === 0 && !isAll ? <NoNotifications /> : null}
      {isShown(unread?.trades) ? (
        <Section title={t('Trades and invitations')}>
          <TradeNotifications markDone={(ids) => trades.mutate({ body: { ids } })} />
        </Section>
      ) : null}
      {orgs
        .filter(({ slug }) => isShown(unread?.orgs.find(({ org }) => org === slug)?.unread))
        .map(({ slug, display_name }) => (
          <Section
            key={slug}
            title={display_name}
            actions={<Link href={pathTo('notifications', { org: slug })}>{t('Only these')}</Link>}
          >
            <OrgNotifications org={slug} empty={<NoNotifications />} />
          </Section>
        ))}
    </NotificationPage>
  )
}

function TradeNotifications({ markDone }: { markDone: (ids: string[]) => void }) {
  const query = useIsAll() ? {} : { unread: 'true' as const }
  const { items, error, more } = useList('listTradeNotifications', { query }, { pollMs: POLL_MS })
  const { items: orders = [] } = useList('listOrders', { query: { limit: 100 } })
  const { items: invitations = [] } = useList('listMyInvitations', {})
  const { data: orgs = [] } = useAll('listOrgs', {})
  const titles = new Map([
    ...orders.map(({ urn, title }) => [urn.body, title] as const),
    ...invitations.map(({ org_urn, display_name }) => [org_urn.body, display_name] as const),
    ...orgs.map(({ urn, display_name }) => [urn.body, display_name] as const),
  ])
  return (
    <NotificationGroups
      caption={t('Notifications of your trades, the newest first')}
      items={items}
      error={error}
      more={more}
      empty={<NoNotifications />}
      nameOf={(account) => (account.startsWith('market:human:') ? t('a member') : t('the other party'))}
      thingOf={({ entity_type: type, entity_id: id }) => titles.get(id) ?? `${word(type)} ${shortened(id)}`}
      markDone={markDone}
    />
  )
}
