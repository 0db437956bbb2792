import { useChange } from '../../data/queries.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/forms/Button.tsx'
import { Problem } from '../../ui/forms/Problem.tsx'
import { Section } from '../../ui/layout/Section.tsx'

/** Records whether a flagged text was written to influence the judge. */
export function ScreenReview({ urn, onDone }: { urn: string; onDone: () => void }) {
  const screen = useChange('clearReview', ['listReviews'])
  const say = (hostile: boolean) => screen.mutate({ params: { urn }, body: { hostile } }, { onSuccess: onDone })
  return (
    <Section title={t('A text was flagged')}>
      <p>
        {t(
          'Was it written to influence the judge? If so, rules alone decide the dispute. If not, the dispute continues as usual. Or decide it yourself below; that is final.',
        )}
      </p>
      {screen.data ? (
        <p role="status">{t('Recorded. The dispute continues.')}</p>
      ) : (
        <div className="row">
          <Button busy={screen.isPending} onClick={() => say(false)}>
            {t('It is harmless')}
          </Button>
          <Button kind="danger" busy={screen.isPending} onClick={() => say(true)}>
            {t('It was meant to influence')}
          </Button>
        </div>
      )}
      <Problem error={screen.error} />
    </Section>
  )
}
