import { useRead } from '../../../data/queries.ts'
import { t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { percentText } from '../../../ui/values/format.ts'
import { Hash } from '../../../ui/values/Hash.tsx'
import { State } from '../../../ui/values/State.tsx'
import { Time } from '../../../ui/values/Time.tsx'

/** The keys that sign documents, and the fees with the time of each. */
export function Keys() {
  const { data, error } = useRead('getPublicConfig', {})
  return (
    <>
      <PageHead
        title={t('Keys and fees')}
        about={t(
          'The keys that sign receipts, verdicts and other documents. Make and end keys on the command line: market keys.',
        )}
      />
      <Section title={t('Keys')}>
        <Table
          caption={t('Signing keys')}
          rows={data?.keys.keys}
          error={error}
          keyOf={({ kid }) => kid}
          empty={<p>{t('There is no key: nothing can be signed.')}</p>}
          columns={[
            {
              title: t('Signs'),
              cell: ({ purpose }) => <strong>{word(purpose ?? 'anything')}</strong>,
            },
            { title: t('State'), cell: ({ valid_until }) => <State name={valid_until ? 'ended' : 'active'} /> },
            { title: t('Id'), isLabelled: true, cell: ({ kid }) => <Hash value={kid} /> },
            {
              title: t('From'),
              isLabelled: true,
              cell: ({ valid_from: at }) => (at ? <Time at={at} /> : t('the beginning')),
            },
            {
              title: t('Until'),
              isLabelled: true,
              cell: ({ valid_until: at }) => (at ? <Time at={at} /> : t('in use')),
            },
          ]}
        />
      </Section>
      <Section title={t('Fees')}>
        <Table
          caption={t('Fees')}
          rows={data?.fees.document.rates}
          error={error}
          keyOf={({ from }) => from}
          empty={<p>{t('No fee is taken.')}</p>}
          columns={[
            { title: t('From'), cell: ({ from }) => (Date.parse(from) > 0 ? <Time at={from} /> : t('the beginning')) },
            { title: t('Fee'), isNumber: true, cell: ({ fee_bps }) => percentText(fee_bps / 10_000) },
          ]}
        />
      </Section>
    </>
  )
}
