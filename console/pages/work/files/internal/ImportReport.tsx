import { type Body, useRead } from '../../../../data/queries.ts'
import { type Message, msg, t } from '../../../../texts/texts.ts'
import { Dialog } from '../../../../ui/forms/Dialog.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'

type Line = Body<'getImport'>['report'][number]

const WORDS: Readonly<Record<Line['kind'], Message>> = {
  link_unresolved: msg('Links that lead to nothing in the archive. They stay as they were written.'),
  links_not_read: msg('Pages whose links were not changed.'),
  page_kept_as_file: msg('Files that could not become pages. They are attached as files.'),
  page_converted: msg('Pages that were not in UTF-8.'),
  file_renamed: msg('Files whose name was taken.'),
}

/** What an import says of single files and links of its archive. */
export function ImportReport({ org, id, onClose }: { org: string; id: string; onClose: () => void }) {
  const { data, error } = useRead('getImport', { params: { org, ref: id } })
  return (
    <Dialog title={t('Report of the import')} onClose={onClose}>
      <Problem error={error} />
      {data ? <Lines report={data.report} total={data.report_total} /> : null}
    </Dialog>
  )
}

function Lines({ report, total }: { report: Line[]; total: number }) {
  return (
    <>
      {(Object.keys(WORDS) as Line['kind'][]).map((kind) => {
        const lines = report.filter((line) => line.kind === kind)
        if (lines.length === 0) return null
        return (
          <section key={kind} aria-label={t(WORDS[kind])}>
            <h3>{t(WORDS[kind])}</h3>
            <ul>
              {lines.map(({ path, detail }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines of one report, which never change.
                <li key={index}>
                  {path}: <code>{detail}</code>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
      {total > report.length ? (
        <p className="muted">{t('The first {shown} of {total} lines.', { shown: report.length, total })}</p>
      ) : null}
    </>
  )
}
