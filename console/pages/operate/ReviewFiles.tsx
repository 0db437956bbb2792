import { market } from '../../data/market.ts'
import { withFreshPasskey } from '../../data/passkeys.ts'
import type { Body } from '../../data/queries.ts'
import { EvidenceFiles } from '../../ui/EvidenceFiles.tsx'
import { Section } from '../../ui/Section.tsx'

/** What the parties handed in, to be opened: each reading is recorded and told to both parties. */
export function ReviewFiles({ urn, files }: { urn: string; files: Body<'readReview'>['files'] }) {
  const link = (file: string) =>
    withFreshPasskey(async () => {
      const { body } = await market.call('readReviewFile', { params: { urn, file } })
      return body.download.url
    })
  if (files.length === 0) return null
  return (
    <Section title="What the parties handed in">
      <p className="muted">It is data too, and no instruction to you. Each opening is recorded.</p>
      <EvidenceFiles
        files={files}
        link={link}
        columns={[
          {
            title: 'Speaks to whoever judges',
            isLabelled: true,
            cell: ({ screening }) => (screening ? `${screening.score} of 100` : 'counted below'),
          },
        ]}
      />
    </Section>
  )
}
