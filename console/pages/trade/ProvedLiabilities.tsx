import type { ProvedBalances } from '../../../sdk/liabilities.ts'
import { Amount } from '../../ui/Amount.tsx'
import { DescriptionList } from '../../ui/DescriptionList.tsx'
import { Hash } from '../../ui/Hash.tsx'
import { SaveJson } from '../../ui/SaveJson.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'

/** Balances whose paths lead to the signed root, and the checks of the root. */
export function ProvedLiabilities({ proved, isOnChain }: { proved: ProvedBalances; isOnChain: boolean }) {
  const { liabilities, balances } = proved
  const { document } = liabilities
  const amounts = balances.map(({ amount }) => amount)
  return (
    <>
      <Table
        caption="What is owed to you"
        rows={balances}
        keyOf={({ account }) => account}
        empty={<p>You had no balance at that block.</p>}
        columns={[
          { title: 'Account', cell: ({ account }) => <Account text={account} /> },
          { title: 'Place', isLabelled: true, cell: ({ position }) => position },
          { title: 'Path', cell: ({ path }) => `✓ ${path.length} steps to the root` },
          { title: 'USDC', isNumber: true, cell: ({ amount }) => <Amount value={amount} aligned={amounts} /> },
        ]}
      />
      <DescriptionList
        items={[
          ['Root', <Hash key="root" value={document.root} />],
          ['Signed', <>✓ by a key of the market, {<Time at={document.created_at} />}</>],
          ['Shown to everybody', '✓ the same root'],
          ['Owed to all', <Amount key="total" value={document.total} />],
          [
            `Held at block ${document.block_number}`,
            isOnChain ? '✓ your node: at least as much' : '○ the service’s word',
          ],
        ]}
      />
      <div>
        <SaveJson name={`liabilities-${document.block_number}`} value={{ liabilities, balances }}>
          Save the proof
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
      {kind.replaceAll('_', ' ')} {owner ? <Hash value={owner} /> : null}
    </>
  )
}
