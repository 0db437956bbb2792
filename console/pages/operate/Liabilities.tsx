import { useState } from 'react'
import { isProblem } from '../../../sdk/problem.ts'
import { useRead } from '../../data/queries.ts'
import { t } from '../../texts/texts.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Button } from '../../ui/Button.tsx'
import { DescriptionList } from '../../ui/DescriptionList.tsx'
import { Hash } from '../../ui/Hash.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'

/** The latest signed statement of custody's liabilities. Each person can find their part under its root. */
export function Liabilities() {
  const [isAsked, setAsked] = useState(false)
  const { data, error } = useRead('getLiabilities', {}, { enabled: isAsked })
  const hasNone = isProblem(error, 'market:error:resource/not-found')
  return (
    <Section
      title={t('What custody owes')}
      actions={isAsked ? undefined : <Button onClick={() => setAsked(true)}>{t('Read what was last signed')}</Button>}
    >
      {isAsked ? null : (
        <p className="muted">{t('Signed regularly, so that each person can find their part in it.')}</p>
      )}
      {hasNone ? <p className="muted">{t('No statement has been published yet.')}</p> : null}
      {error && !hasNone ? <Problem error={error} /> : null}
      {data ? (
        <DescriptionList
          items={[
            [t('Total'), <Amount key="total" value={data.document.total} />],
            [t('Root'), <Hash key="root" value={data.document.root} />],
            [t('At block'), data.document.block_number],
            [t('Signed'), <Time key="at" at={data.document.created_at} />],
          ]}
        />
      ) : null}
    </Section>
  )
}
