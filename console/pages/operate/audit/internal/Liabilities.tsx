import { useState } from 'react'
import { isProblem } from '../../../../../sdk/problem.ts'
import { useRead } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../../ui/layout/DescriptionList.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { Hash } from '../../../../ui/values/Hash.tsx'
import { Time } from '../../../../ui/values/Time.tsx'

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
