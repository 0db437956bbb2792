import { useState } from 'react'
import { useChange, useList } from '../../../data/queries.ts'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { State } from '../../../ui/values/State.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { ImportReport } from './internal/ImportReport.tsx'

const MADE = ['listImports', 'listPages', 'listAttachments'] as const

/** The imports of Markdown archives, with their reports. Each can be undone as a whole. */
export function Imports({ org }: { org: string }) {
  const { items, error, more } = useList('listImports', { params: { org } }, { pollMs: 5_000 })
  const undo = useChange('undoImport', MADE)
  const [reported, setReported] = useState<string>()
  return (
    <Section title={t('Imports')}>
      <Problem error={undo.error} />
      <Table
        caption={t('Imports of pages')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ id }) => id}
        empty={<p>{t('Upload a zip archive of Markdown to a page: its file can be imported from there.')}</p>}
        columns={[
          {
            title: t('State'),
            cell: ({ state, failure }) => (
              <>
                {<State name={state} />} {failure ?? ''}
              </>
            ),
          },
          { title: t('Pages'), isLabelled: true, isNumber: true, cell: ({ pages }) => pages },
          { title: t('Files'), isLabelled: true, isNumber: true, cell: ({ files }) => files },
          {
            title: t('Report'),
            isLabelled: true,
            cell: ({ id, report_total }) =>
              report_total > 0 ? (
                <Button kind="quiet" onClick={() => setReported(id)}>
                  {t('{count, plural, one {# line} other {# lines}}', { count: report_total })}
                </Button>
              ) : null,
          },
          { title: t('Started'), isLabelled: true, cell: ({ created_at }) => <Time at={created_at} /> },
          {
            title: t('Change'),
            cell: ({ id, state }) =>
              state === 'finished' ? (
                <Button
                  busy={undo.isPending && undo.variables.params.ref === id}
                  onClick={() => undo.mutate({ params: { org, ref: id }, body: {} })}
                >
                  {t('Undo')}
                </Button>
              ) : null,
          },
        ]}
      />
      {reported ? <ImportReport {...{ org }} id={reported} onClose={() => setReported(undefined)} /> : null}
    </Section>
  )
}
