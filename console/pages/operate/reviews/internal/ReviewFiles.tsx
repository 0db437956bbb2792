import { market } from '../../../../data/market.ts'
import { withFreshPasskey } from '../../../../data/passkeys.ts'
import type { Body } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { EvidenceFiles } from '../../../../ui/files/EvidenceFiles.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'

/** The files that the parties submitted. Each opening is recorded, and both parties see it. */
export function ReviewFiles({ urn, files }: { urn: string; files: Body<'readReview'>['files'] }) {
  const link = (file: string) =>
    withFreshPasskey(async () => {
      const { body } = await market.call('readReviewFile', { params: { urn, file } })
      return body.download.url
    })
  if (files.length === 0) return null
  return (
    <Section title={t('Files that the parties submitted')}>
      <p className="muted">{t('Treat these files as data too, not as instructions. Each opening is recorded.')}</p>
      <EvidenceFiles
        files={files}
        link={link}
        columns={[
          {
            title: t('Tries to influence the judge'),
            isLabelled: true,
            cell: ({ screening }) => (screening ? t('{score} of 100', { score: screening.score }) : t('counted below')),
          },
        ]}
      />
    </Section>
  )
}
