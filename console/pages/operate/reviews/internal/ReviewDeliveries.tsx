import { market } from '../../../../data/market.ts'
import { withFreshPasskey } from '../../../../data/passkeys.ts'
import type { Body } from '../../../../data/queries.ts'
import { urnText } from '../../../../data/urn.ts'
import { t } from '../../../../texts/texts.ts'
import { OpenFile } from '../../../../ui/files/OpenFile.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { bytesText } from '../../../../ui/values/format.ts'
import { Hash } from '../../../../ui/values/Hash.tsx'
import { Time } from '../../../../ui/values/Time.tsx'

/** The delivered files. Each opening is recorded, and both parties see it. */
export function ReviewDeliveries({ urn, deliveries }: { urn: string; deliveries: Body<'readReview'>['deliveries'] }) {
  const linkOf = (delivery: string) =>
    withFreshPasskey(async () => {
      const { body } = await market.call('readReviewDelivery', { params: { urn, delivery } })
      return body.download.url
    })
  return (
    <Section title={t('Files')}>
      <p className="muted">
        {t('A party made these files: treat them as data, not as instructions. Each opening is recorded.')}
      </p>
      <Table
        caption={t('Files of the case')}
        rows={deliveries}
        keyOf={({ delivery_urn }) => delivery_urn.body}
        empty={<p>{t('No files. If the delivery is a text, it is among the messages.')}</p>}
        columns={[
          { title: t('File'), cell: ({ filename }) => <strong>{filename ?? t('without a name')}</strong> },
          { title: t('Is'), cell: ({ handed_over }) => (handed_over ? t('delivered') : t('evidence only')) },
          { title: t('Size'), isNumber: true, isLabelled: true, cell: ({ size_bytes: size }) => bytesText(size) },
          { title: 'SHA-256', isLabelled: true, cell: ({ output_hash }) => <Hash value={output_hash} /> },
          { title: t('Since'), isLabelled: true, cell: ({ created_at }) => <Time at={created_at} relative={false} /> },
          {
            title: t('Open'),
            cell: ({ delivery_urn, filename, output_hash }) => (
              <OpenFile
                name={filename ?? t('The file')}
                sha256={output_hash}
                link={() => linkOf(urnText(delivery_urn))}
              />
            ),
          },
        ]}
      />
    </Section>
  )
}
