import { useState } from 'react'
import { useParams } from 'wouter'
import { type Body, useChange } from '../../../data/queries.ts'
import { urnOf } from '../../../data/urn.ts'
import { OperatorOnly } from '../../../session/OperatorOnly.tsx'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../ui/layout/DescriptionList.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Amount } from '../../../ui/values/Amount.tsx'
import { Data } from '../../../ui/values/Data.tsx'
import { State } from '../../../ui/values/State.tsx'
import { reasonText } from '../../trade/dispute/reasonText.ts'
import { DecideReview } from './internal/DecideReview.tsx'
import { ReviewDeliveries } from './internal/ReviewDeliveries.tsx'
import { ReviewFiles } from './internal/ReviewFiles.tsx'
import { ReviewTexts } from './internal/ReviewTexts.tsx'

type Case = Body<'readReview'>

/** One case. It is read only on demand, because each reading is recorded and both parties see it. */
export function Review() {
  const { id = '' } = useParams()
  const urn = urnOf('dispute', id)
  const read = useChange('readReview', ['listReviews'])
  const found = read.data
  return (
    <OperatorOnly>
      <PageHead
        title={t('Case')}
        kicker={found ? <State name={found.state} /> : null}
        aside={found ? <Amount value={found.price} large /> : null}
        about={<span className="mono">{id}</span>}
      />
      {found ? (
        <CaseRead found={found} urn={urn} />
      ) : (
        <div className="stack">
          <p>{t('Reading the case is recorded, and both parties see it. It needs your passkey.')}</p>
          <div>
            <Button kind="primary" busy={read.isPending} onClick={() => read.mutate({ params: { urn } })}>
              {t('Read the case')}
            </Button>
          </div>
          <Problem error={read.error} />
        </div>
      )}
    </OperatorOnly>
  )
}

/** How much a side's texts try to influence the judge, and why. */
function scoreText({ score, families }: Case['screening']['buyer']): string {
  const text = t('{score} of 100', { score })
  return families.length > 0 ? `${text}: ${reasonText(families)}` : text
}

function CaseRead({ found, urn }: { found: Case; urn: string }) {
  const { buyer, seller } = found.screening
  const [done, setDone] = useState<'passed' | 'decided'>()
  return (
    <>
      {found.may.includes('clear') && done !== 'decided' ? (
        <ScreenReview urn={urn} onDone={() => setDone('passed')} />
      ) : null}
      <ReviewTexts found={found} />
      <ReviewDeliveries urn={urn} deliveries={found.deliveries} />
      <ReviewFiles urn={urn} files={found.files} />
      <Section title={t('Facts, as they were frozen')}>
        <Data value={found.facts} />
      </Section>
      <Section title={t('Does a text try to influence the judge?')}>
        <DescriptionList
          items={[
            [t('The buyer’s'), scoreText(buyer)],
            [t('The seller’s'), scoreText(seller)],
            [
              t('Refund by the automated verdict'),
              found.automated ? <Amount key="refund" value={found.automated.refund} /> : undefined,
            ],
          ]}
        />
      </Section>
      {found.may.includes('decide') && done !== 'passed' ? (
        <DecideReview urn={urn} price={found.price} onDone={() => setDone('decided')} />
      ) : null}
    </>
  )
}

/** Records whether a flagged text was written to influence the judge. */
function ScreenReview({ urn, onDone }: { urn: string; onDone: () => void }) {
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
