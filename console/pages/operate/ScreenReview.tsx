import { useChange } from '../../data/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Section } from '../../ui/Section.tsx'

/** Says whether flagged text was written to steer whoever judges. */
export function ScreenReview({ urn, onDone }: { urn: string; onDone: () => void }) {
  const screen = useChange('clearReview', ['listReviews'])
  const say = (hostile: boolean) => screen.mutate({ params: { urn }, body: { hostile } }, { onSuccess: onDone })
  return (
    <Section title="A text was flagged">
      <p>
        Was it written to steer whoever judges? If so, rules alone decide; if not, it goes on as if nothing had been. Or
        decide it yourself, below, for good.
      </p>
      {screen.data ? (
        <p role="status">It is recorded. The dispute goes on.</p>
      ) : (
        <div className="row">
          <Button busy={screen.isPending} onClick={() => say(false)}>
            It is harmless
          </Button>
          <Button kind="danger" busy={screen.isPending} onClick={() => say(true)}>
            It was meant to steer
          </Button>
        </div>
      )}
      <Problem error={screen.error} />
    </Section>
  )
}
