import type { PageItem } from '../../../../sdk/market.ts'
import { useChange } from '../../../data/queries.ts'
import { Trans } from '../../../texts/Trans.tsx'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { Time } from '../../../ui/values/Time.tsx'

interface Props {
  org: string
  confirmation: NonNullable<PageItem<'listNotifications'>['confirmation']>
}

/** A question of an agent of the person's, with both answers. */
export function Question({ org, confirmation }: Props) {
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
