import { useOrg } from '../../../data/org.ts'
import { useChange } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { useOrgParams } from '../../../routing/useOrgParams.ts'
import { t } from '../../../texts/texts.ts'
import { Section } from '../../../ui/layout/Section.tsx'
import { NoNotifications, NotificationPage, useIsAll } from './internal/NotificationPage.tsx'
import { OrgNotifications } from './internal/OrgNotifications.tsx'

/** The person's notifications in an org, newest first. The questions of their agents are answered here. */
export function Notifications() {
  const { org: slug } = useOrgParams()
  const { org } = useOrg(slug)
  const isAll = useIsAll()
  const mark = useChange('markNotificationsRead', ['listNotifications', 'countUnreadNotifications'])
  const all = () => mark.mutate({ params: { org: slug }, body: { all: true } })
  return (
    <NotificationPage
      title={org ? t('Notifications of {name}', { name: org.display_name }) : t('Notifications')}
      here={pathTo('notifications', { org: slug })}
      mark={{ ...mark, all }}
    >
      <Section title={isAll ? t('All') : t('Unread')}>
        <OrgNotifications org={slug} empty={<NoNotifications />} />
      </Section>
    </NotificationPage>
  )
}
