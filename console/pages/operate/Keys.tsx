import { useRead } from '../../data/queries.ts'
import { Hash } from '../../ui/Hash.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Section } from '../../ui/Section.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'

/** The keys that sign documents, and the fees with the time of each. */
export function Keys() {
  const { data, error } = useRead('getPublicConfig', {})
  return (
    <>
      <PageHead
        title="Keys and fees"
        about="The keys that sign receipts, verdicts and other documents. Make and end keys on the command line: market keys."
      />
      <Section title="Keys">
        <Table
          caption="Signing keys"
          rows={data?.keys.keys}
          error={error}
          keyOf={({ kid }) => kid}
          empty={<p>There is no key: nothing can be signed.</p>}
          columns={[
            { title: 'Signs', cell: ({ purpose }) => <strong>{(purpose ?? 'anything').replaceAll('_', ' ')}</strong> },
            { title: 'State', cell: ({ valid_until }) => <State name={valid_until ? 'ended' : 'active'} /> },
            { title: 'Id', isLabelled: true, cell: ({ kid }) => <Hash value={kid} /> },
            {
              title: 'From',
              isLabelled: true,
              cell: ({ valid_from: at }) => (at ? <Time at={at} /> : 'the beginning'),
            },
            { title: 'Until', isLabelled: true, cell: ({ valid_until: at }) => (at ? <Time at={at} /> : 'in use') },
          ]}
        />
      </Section>
      <Section title="Fees">
        <Table
          caption="Fees"
          rows={data?.fees.document.rates}
          error={error}
          keyOf={({ from }) => from}
          empty={<p>No fee is taken.</p>}
          columns={[
            { title: 'From', cell: ({ from }) => <Time at={from} /> },
            { title: 'Fee', isNumber: true, cell: ({ fee_bps }) => `${(fee_bps / 100).toFixed(2)} %` },
          ]}
        />
      </Section>
    </>
  )
}
