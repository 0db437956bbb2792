import { type Body, useRead } from '../../../../../data/queries.ts'
import { Trans } from '../../../../../texts/Trans.tsx'
import { t } from '../../../../../texts/texts.ts'
import { Button } from '../../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../../ui/forms/Problem.tsx'
import { Diff } from '../../history/Diff.tsx'
import styles from '../PageEditor.module.css'

interface Props {
  org: string
  page: string
  /** The version that the person began with. */
  base: number
  onSaveMine: (version: number) => void
  onTakeTheirs: (theirs: Body<'getPage'>) => void
}

/**
 * Shows what somebody else has changed in the same lines, and what the person can do. Nothing was saved or
 * lost.
 */
export function EditConflict({ org, page, base, onSaveMine, onTakeTheirs }: Props) {
  const { data: theirs, error } = useRead('getPage', { params: { org, ref: page } }, { pollMs: 10_000 })
  const isNewer = theirs !== undefined && theirs.version > base
  const diff = useRead(
    'diffPageVersions',
    { params: { org, ref: page, number: String(theirs?.version ?? base) }, query: { from: String(base) } },
    { enabled: isNewer },
  )
  return (
    <div role="alert" className={styles.conflict}>
      <p>
        <Trans message="<strong>Not saved: somebody else has changed the same lines since you began.</strong> Your text is still in the editor. Merge the two there and save over theirs, or start again from theirs, with yours shown beside it." />
      </p>
      <Problem error={error ?? diff.error} />
      {isNewer && diff.data ? (
        <>
          <h3>{t('What they changed, version {from} to {to}', { from: base, to: theirs.version })}</h3>
          <Diff diff={diff.data} />
          <div className="row">
            <Button onClick={() => onTakeTheirs(theirs)}>{t('Start again from theirs')}</Button>
            <Button kind="danger" onClick={() => onSaveMine(theirs.version)}>
              {t('Save what is in the editor over version {version}', { version: theirs.version })}
            </Button>
          </div>
        </>
      ) : null}
    </div>
  )
}
