import { Link } from 'wouter'
import { usePeople } from '../../../data/org.ts'
import { type Body, useRead } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { useOrgParams } from '../../../routing/useOrgParams.ts'
import { Trans } from '../../../texts/Trans.tsx'
import { t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../ui/layout/DescriptionList.tsx'
import styles from '../../../ui/layout/Layout.module.css'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { bytesText } from '../../../ui/values/format.ts'
import { Hash } from '../../../ui/values/Hash.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { AttachmentActions } from './internal/AttachmentActions.tsx'
import { AttachmentPreview } from './internal/AttachmentPreview.tsx'
import { AttachmentText } from './internal/AttachmentText.tsx'
import { AttachmentVersions } from './internal/AttachmentVersions.tsx'

const PROCESSING_POLL_MS = 2_000

/** A file: its preview, text, versions and state. */
export function Attachment() {
  const { org, ref } = useOrgParams()
  const input = { params: { org, ref } }
  const { data: file, error } = useRead('getAttachment', input)
  const isPending = file?.text_state === 'pending' || file?.preview_state === 'pending'
  useRead('getAttachment', input, { enabled: isPending, pollMs: PROCESSING_POLL_MS })
  if (!file) return error ? <Problem error={error} /> : null
  return (
    <>
      <PageHead
        title={file.filename}
        kicker={file.state === 'trashed' ? t('In the trash') : undefined}
        about={[bytesText(file.size_bytes), file.media_type, t('version {version}', { version: file.version })].join(
          ' · ',
        )}
        actions={<AttachmentActions org={org} file={file} />}
      />
      {file.scan_state === 'infected' ? (
        <p role="alert">
          <Trans message="<strong>A virus was found in this file, so it cannot be downloaded.</strong> An operator looks at it." />
        </p>
      ) : null}
      {file.scan_state === 'deleted' ? (
        <p role="alert">
          <Trans message="<strong>A virus was found in this file, and an operator deleted it.</strong> Upload another version." />
        </p>
      ) : null}
      <div className={styles.columns}>
        <div>
          <AttachmentPreview org={org} file={file} />
          <AttachmentText org={org} file={file} />
          <AttachmentVersions org={org} file={file} />
        </div>
        <AttachmentFacts org={org} file={file} />
      </div>
    </>
  )
}

function AttachmentFacts({ org, file }: { org: string; file: Body<'getAttachment'> }) {
  const { nameOf } = usePeople(org)
  return (
    <Section title={t('Details')}>
      <DescriptionList
        items={[
          [
            t('Page'),
            file.page_short_id === null ? undefined : (
              <Link key="page" href={pathTo('page', { org, ref: file.page_short_id })}>
                {t('the page that it is on')}
              </Link>
            ),
          ],
          [t('Refer to it as'), <code key="reference">{file.reference}</code>],
          [t('Attached by'), nameOf(file.created_by)],
          [t('Attached'), <Time key="at" at={file.created_at} relative={false} />],
          [t('Text'), word(file.text_state)],
          [t('Preview'), word(file.preview_state)],
          [t('Virus scan'), word(file.scan_state)],
          ['SHA-256', file.sha256 ? <Hash key="hash" value={file.sha256} /> : t('being computed')],
          [
            t('Kept until'),
            file.restorable_until ? <Time key="until" at={file.restorable_until} relative={false} /> : undefined,
          ],
        ]}
      />
    </Section>
  )
}
