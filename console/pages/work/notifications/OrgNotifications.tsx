import type { ReactNode } from 'react'
import { usePeople } from '../../../data/org.ts'
import { useChange, useList } from '../../../data/queries.ts'
import { t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { NotificationGroups } from './NotificationGroups.tsx'
import { useIsAll } from './NotificationPage.tsx'
import { Question } from './Question.tsx'

const POLL_MS = 30_000

/** The person's notifications in an org, by what they are about. */
export function OrgNotifications({ org, empty }: { org: string; empty: ReactNode }) {
  const params = { org }
  const query = useIsAll() ? {} : { unread: 'true' as const }
  const { items, error, more } = useList('listNotifications', { params, query }, { pollMs: POLL_MS })
  const { nameOf } = usePeople(org)
  const mark = useChange('markNotificationsRead', ['listNotifications', 'countUnreadNotifications'])
  return (
    <>
      <Problem error={mark.error} />
      <NotificationGroups
        caption={t('Notifications of this org, the newest first')}
        items={items}
        error={error}
        more={more}
        empty={empty}
        nameOf={nameOf}
        thingOf={({ entity_type: type, entity_title: title, short_id }) => title ?? `${word(type)} ${short_id ?? ''}`}
        markDone={(ids) => mark.mutate({ params, body: { ids } })}
        question={({ confirmation }) => confirmation && <Question org={org} confirmation={confirmation} />}
      />
    </>
  )
}
