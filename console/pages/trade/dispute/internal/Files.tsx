import { market } from '../../../../data/market.ts'
import type { Body } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { EvidenceFiles } from '../../../../ui/files/EvidenceFiles.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import type { Viewer } from '../../order/record/order.ts'

/** The files that both sides submitted. */
export function Files({ dispute: { files }, viewer: { agent } }: { dispute: Body<'getDispute'>; viewer: Viewer }) {
  // A link works for minutes, so each opening asks for a new one.
  const link = async (urn: string) => {
    const { body } = await market.call('getEvidence', { params: { urn }, agent })
    return body.download.url
  }
  if (files.length === 0) return null
  return (
    <Section title={t('Files')}>
      <EvidenceFiles files={files} link={link} />
    </Section>
  )
}
