import type { ProvedBalances } from '../../../../../sdk/liabilities.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { word } from '../../../../texts/words.ts'
import { SaveJson } from '../../../../ui/files/SaveJson.tsx'
import { DescriptionList } from '../../../../ui/layout/DescriptionList.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { Hash } from '../../../../ui/values/Hash.tsx'
import { Time } from '../../../../ui/values/Time.tsx'

/** Balances whose paths lead to the signed root, and the checks of the root. */
export function ProvedLiabilities({ proved, isOnChain }: { proved: ProvedBalances; isOnChain: boolean }) {
  const { liabilities, balances } = proved
  const { document } = liabilities
  const amounts = balances.map(({ amount }) => amount)
  return (
    <>
      <Table
        caption={t('What is owed to you')}
        rows={balances}
        keyOf={({ account }) => account}
        empty={<p>{t('You had no balance at that block.')}</p>}
        columns={[
          { title: t('Account'), cell: ({ account }) => <Account text={account} /> },
          { title: t('Place'), isLabelled: true, cell: ({ position }) => position },
          {
            title: t('Path'),
            cell: ({ path }) =>
              `✓ ${t('{count, plural, one {# step} other {# steps}} to the root', { count: path.length })}`,
          },
          { title: 'USDC', isNumber: true, cell: ({ amount }) => <Amount value={amount} aligned={amounts} /> },
        ]}
      />
      <DescriptionList
        items={[
          [t('Root'), <Hash key="root" value={document.root} />],
          [
            t('Signed'),
            <>
              ✓ <Trans message="by a key of the market, {time}" time={<Time at={document.created_at} />} />
            </>,
          ],
          [t('Shown to everybody'), `✓ ${t('the same root')}`],
          [t('Owed to all'), <Amount key="total" value={document.total} />],
          [
            t('Held at block {blockNumber}', { blockNumber: document.block_number }),
            isOnChain ? `✓ ${t('your node: at least as much')}` : `○ ${t('the service’s word')}`,
          ],
        ]}
      />
      <div>
        <SaveJson name={`liabilities-${document.block_number}`} value={{ liabilities, balances }}>
          {t('Save the proof')}
        </SaveJson>
      </div>
    </>
  )
}

/** An account of the ledger: its kind, and its owner to copy. */
function Account({ text }: { text: string }) {
  const [, kind = text, owner] = /^([^:]+):(?:.*:)?([^:]+)$/.exec(text) ?? []
  return (
    <>
      {word(kind)} {owner ? <Hash value={owner} /> : null}
    </>
  )
}
