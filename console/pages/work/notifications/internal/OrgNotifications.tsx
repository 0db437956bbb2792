import type { ReactNode } from 'react'
import type { PageItem } from '../../../../../sdk/market.ts'
import { usePeople } from '../../../../data/org.ts'
import { useChange, useList } from '../../../../data/queries.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { word } from '../../../../texts/words.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import { NotificationGroups } from './NotificationGroups.tsx'
import { useIsAll } from './NotificationPage.tsx'

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

interface QuestionProps {
  org: string
  confirmation: NonNullable<PageItem<'listNotifications'>['confirmation']>
}

/** A question of an agent of the person's, with both answers. */
function Question({ org, confirmation }: QuestionProps) {
  const answer = useChange('answerConfirmation', ['listNotifications', 'countUnreadNotifications'])
  const params = { org, id: confirmation.id }
  return (
    <div className="stack">
      <p>
        <strong>{t('An agent of yours asks:')}</strong> {confirmation.question}
      </p>
      <div className="row">
        <Button
          kind="primary"
          busy={answer.isPending}
          onClick={() => answer.mutate({ params, body: { answer: 'confirmed' } })}
        >
          {t('Yes')}
        </Button>
        <Button busy={answer.isPending} onClick={() => answer.mutate({ params, body: { answer: 'declined' } })}>
          {t('No')}
        </Button>
        <span className="small muted">
          <Trans message="until {time}" time={<Time at={confirmation.expires_at} />} />
        </span>
      </div>
      <Problem error={answer.error} />
    </div>
  )
}
