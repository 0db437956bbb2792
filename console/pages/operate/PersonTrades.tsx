import { Amount } from '../../ui/Amount.tsx'
import { ChainHash } from '../../ui/ChainHash.tsx'
import { Hash } from '../../ui/Hash.tsx'
import { Section } from '../../ui/Section.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import type { PersonRecord } from './Person.tsx'

/** A person's agents, orders, disputes, payouts and wallets. */
export function PersonTrades({ person }: { person: PersonRecord }) {
  return (
    <>
      <Orders person={person} />
      <Ends person={person} />
      <Wallets person={person} />
    </>
  )
}

function Orders({ person }: { person: PersonRecord }) {
  return (
    <>
      <Section title="Agents">
        <Table
          caption="Agents"
          rows={person.agents}
          keyOf={({ urn }) => urn.body}
          empty={<p>No agents.</p>}
          columns={[
            { title: 'Name', cell: ({ display_name: name }) => <strong>{name}</strong> },
            { title: 'State', cell: ({ deactivated_at: at }) => <State name={at ? 'deactivated' : 'active'} /> },
            { title: 'Since', isLabelled: true, cell: ({ created_at: at }) => <Time at={at} /> },
            { title: 'Id', isLabelled: true, cell: ({ urn }) => <Hash value={urn.body} /> },
          ]}
        />
      </Section>
      <Section title="Orders">
        <Table
          caption="Orders, newest first"
          rows={person.orders}
          keyOf={({ urn }) => urn.body}
          empty={<p>No orders.</p>}
          columns={[
            { title: 'Parties', cell: ({ buyer, seller }) => `${buyer} buys from ${seller}` },
            { title: 'State', cell: ({ state }) => <State name={state} /> },
            { title: 'Their side', isLabelled: true, cell: ({ side }) => side },
            { title: 'Escrow', isLabelled: true, cell: ({ escrow_mode: mode }) => mode },
            {
              title: 'Price',
              isNumber: true,
              isLabelled: true,
              cell: ({ price }) => <Amount value={price} aligned={person.orders.map((each) => each.price)} />,
            },
            { title: 'Placed', isLabelled: true, cell: ({ placed_at: at }) => <Time at={at} /> },
            { title: 'Id', isLabelled: true, cell: ({ urn }) => <Hash value={urn.body} /> },
          ]}
        />
      </Section>
    </>
  )
}

function Ends({ person }: { person: PersonRecord }) {
  return (
    <>
      <Section title="Disputes">
        <Table
          caption="Disputes, newest first"
          rows={person.disputes}
          keyOf={({ urn }) => urn.body}
          empty={<p>No disputes.</p>}
          columns={[
            { title: 'Dispute', cell: ({ urn }) => <Hash value={urn.body} /> },
            { title: 'State', cell: ({ state }) => <State name={state} /> },
            { title: 'Outcome', isLabelled: true, cell: ({ outcome }) => outcome ?? '–' },
            { title: 'Opened', isLabelled: true, cell: ({ opened_at: at }) => <Time at={at} /> },
            { title: 'Order', isLabelled: true, cell: ({ order_urn: order }) => <Hash value={order.body} /> },
          ]}
        />
      </Section>
      <Section title="Payouts">
        <Table
          caption="Payouts, newest first"
          rows={person.payouts}
          keyOf={({ urn }) => urn.body}
          empty={<p>No payouts.</p>}
          columns={[
            { title: 'Payout', cell: ({ urn }) => <Hash value={urn.body} /> },
            {
              title: 'State',
              cell: ({ state, reason }) => (
                <>
                  <State name={state} /> {reason ? <span className="small muted">{reason}</span> : null}
                </>
              ),
            },
            {
              title: 'Amount',
              isNumber: true,
              isLabelled: true,
              cell: ({ amount }) => <Amount value={amount} aligned={person.payouts.map((each) => each.amount)} />,
            },
            { title: 'Since', isLabelled: true, cell: ({ created_at: at }) => <Time at={at} /> },
          ]}
        />
      </Section>
    </>
  )
}

function Wallets({ person }: { person: PersonRecord }) {
  return (
    <Section title="Wallets">
      <Table
        caption="Wallets"
        rows={person.wallets}
        keyOf={({ urn }) => urn.body}
        empty={<p>No wallets.</p>}
        columns={[
          { title: 'Address', cell: ({ address }) => <ChainHash kind="address" value={address} /> },
          {
            title: 'State',
            cell: ({ is_doubtful: isDoubtful }) =>
              isDoubtful ? <State name="blocked" label="must sign again" /> : <State name="active" label="verified" />,
          },
          { title: 'Paid to', isLabelled: true, cell: ({ is_for_payouts: isPaid }) => (isPaid ? 'yes' : 'no') },
          {
            title: 'Of',
            isLabelled: true,
            cell: ({ account_urn: account }) => (
              <>
                {account.prefix} <Hash value={account.body} />
              </>
            ),
          },
          { title: 'Verified', isLabelled: true, cell: ({ verified_at: at }) => <Time at={at} /> },
        ]}
      />
    </Section>
  )
}
