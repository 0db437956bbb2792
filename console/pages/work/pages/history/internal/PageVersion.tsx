import { useState } from 'react'
import { usePeople } from '../../../../../data/org.ts'
import { type Body, useChange, useRead } from '../../../../../data/queries.ts'
import { t } from '../../../../../texts/texts.ts'
import { Button } from '../../../../../ui/forms/Button.tsx'
import { Field } from '../../../../../ui/forms/Field.tsx'
import { FormDialog } from '../../../../../ui/forms/FormDialog.tsx'
import { Problem } from '../../../../../ui/forms/Problem.tsx'
import { Section } from '../../../../../ui/layout/Section.tsx'
import { Time } from '../../../../../ui/values/Time.tsx'
import { Diff } from '../Diff.tsx'

interface Props {
  org: string
  page: Body<'getPage'>
  number: number
}

/** A version of a page: its changes from another one, and its text. */
export function PageVersion({ org, page, number }: Props) {
  const [from, setFrom] = useState(Math.max(number - 1, 1))
  const [asks, setAsks] = useState(false)
  const { nameOf } = usePeople(org)
  const params = { org, ref: page.id, number: String(number) }
  const version = useRead('getPageVersion', { params })
  const diff = useRead('diffPageVersions', { params, query: { from: String(from) } }, { enabled: from !== number })
  const restore = useChange('restorePageVersion', ['getPage', 'listPages', 'listPageVersions'])
  return (
    <Section
      title={t('Version {version}', { version: number })}
      actions={
        number === page.version ? undefined : <Button onClick={() => setAsks(true)}>{t('Restore this version')}</Button>
      }
    >
      <Problem error={version.error ?? diff.error} />
      {version.data ? (
        <p className="muted">
          {t('Saved by {name}', { name: nameOf(version.data.created_by) })}
          {' · '}
          <Time at={version.data.created_at} />
        </p>
      ) : null}
      {number > 1 ? (
        <Field label={t('Compared with version')}>
          {(props) => (
            <select {...props} value={from} onChange={(event) => setFrom(Number(event.target.value))}>
              {Array.from({ length: page.version }, (_, index) => page.version - index)
                .filter((other) => other !== number)
                .map((other) => (
                  <option key={other} value={other}>
                    {other}
                  </option>
                ))}
            </select>
          )}
        </Field>
      ) : (
        <p className="muted">{t('The first version.')}</p>
      )}
      {diff.data ? <Diff diff={diff.data} /> : null}
      <details>
        <summary>{t('The whole text')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
        <pre tabIndex={0}>{version.data?.text}</pre>
      </details>
      {asks ? (
        <FormDialog
          title={t('Restore version {number}', { number })}
          submit={t('Restore it')}
          onClose={() => setAsks(false)}
          onSubmit={() => restore.mutateAsync({ params })}
        >
          <p>{t('Its title and text become the newest version. The versions in between stay in the history.')}</p>
        </FormDialog>
      ) : null}
    </Section>
  )
}
