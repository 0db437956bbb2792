import { useState } from 'react'
import { type Body, useChange, useList } from '../../../data/queries.ts'
import { OperatorOnly } from '../../../session/OperatorOnly.tsx'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { bytesText } from '../../../ui/values/format.ts'
import { Hash } from '../../../ui/values/Hash.tsx'
import { State } from '../../../ui/values/State.tsx'
import { Time } from '../../../ui/values/Time.tsx'

type ScannedFile = Body<'listQuarantine'>['items'][number]

/** Files that the scanner found infected or could not read. Nobody can download them. */
export function Quarantine() {
  return (
    <OperatorOnly>
      <PageHead
        title={t('Quarantine')}
        about={t('Files that the scanner found infected or could not read. Nobody can download them.')}
      />
      <Files />
    </OperatorOnly>
  )
}

function Files() {
  const { items, error, more } = useList('listQuarantine', {}, { pollMs: 5_000 })
  const rescan = useChange('rescanQuarantined', ['listQuarantine'])
  const [releasing, setReleasing] = useState<ScannedFile>()
  const [deleting, setDeleting] = useState<ScannedFile>()
  return (
    <>
      <Problem error={rescan.error} />
      {rescan.isSuccess ? (
        <p role="status" className="muted">
          {t('The file is scanned again. An infected file returns to this list.')}
        </p>
      ) : null}
      <Table
        caption={t('Quarantined files')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ id }) => id}
        empty={<p>{t('No files in quarantine.')}</p>}
        columns={[
          { title: t('Found'), cell: ({ signature }) => <strong>{signature ?? t('unknown')}</strong> },
          { title: t('State'), cell: ({ scan_state }) => <State name={scan_state} /> },
          { title: t('Org'), isLabelled: true, cell: ({ org }) => org },
          { title: t('Size'), isNumber: true, isLabelled: true, cell: ({ size_bytes: size }) => bytesText(size) },
          { title: 'SHA-256', isLabelled: true, cell: ({ sha256 }) => <Hash value={sha256} /> },
          {
            title: t('Scanned'),
            isLabelled: true,
            cell: ({ scanned_at: at }) => (at ? <Time at={at} /> : t('not yet')),
          },
          {
            title: t('Change'),
            cell: (file) => (
              <div className="row">
                <Button
                  busy={rescan.isPending && rescan.variables.params.id === file.id}
                  onClick={() => rescan.mutate({ params: { id: file.id } })}
                >
                  {t('Scan again')}
                </Button>
                <Button kind="quiet" onClick={() => setReleasing(file)}>
                  {t('Release…')}
                </Button>
                <Button kind="quiet" onClick={() => setDeleting(file)}>
                  {t('Delete…')}
                </Button>
              </div>
            ),
          },
        ]}
      />
      {releasing ? <Release file={releasing} onClose={() => setReleasing(undefined)} /> : null}
      {deleting ? <Delete file={deleting} onClose={() => setDeleting(undefined)} /> : null}
    </>
  )
}

function Release({ file, onClose }: { file: ScannedFile; onClose: () => void }) {
  const release = useChange('releaseQuarantined', ['listQuarantine'])
  return (
    <FormDialog
      title={t('Release the file')}
      submit={t('Release it')}
      isDanger
      onSubmit={() => release.mutateAsync({ params: { id: file.id } })}
      onClose={onClose}
    >
      <p>
        {t(
          'Everybody who may see the file can then download it, although the scanner found: {signature}. The audit log records your decision with your name.',
          { signature: file.signature ?? t('nothing') },
        )}
      </p>
    </FormDialog>
  )
}

function Delete({ file, onClose }: { file: ScannedFile; onClose: () => void }) {
  const remove = useChange('deleteQuarantined', ['listQuarantine'])
  return (
    <FormDialog
      title={t('Delete the file')}
      submit={t('Delete it')}
      isDanger
      onSubmit={() => remove.mutateAsync({ params: { id: file.id } })}
      onClose={onClose}
    >
      <p>
        {t(
          'Its bytes, text and previews are deleted for good. Where it was attached, its name stays, marked as deleted. The audit log records your decision with your name.',
        )}
      </p>
    </FormDialog>
  )
}
