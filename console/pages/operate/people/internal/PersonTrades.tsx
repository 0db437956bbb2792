import type { Body } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { word } from '../../../../texts/words.ts'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { ChainHash } from '../../../../ui/values/ChainHash.tsx'
import { Hash } from '../../../../ui/values/Hash.tsx'
import { State } from '../../../../ui/values/State.tsx'
import { Time } from '../../../../ui/values/Time.tsx'

/** A person's agents, orders, disputes, payouts and wallets. */
export function PersonTrades({ person }: { person: Body<'readPerson'> }) {
  return (
    <>
      <Orders person={person} />
      <Ends person={person} />
      <Wallets person={person} />
    </>
  )
}

function Orders({ person }: { person: Body<'readPerson'> }) {
  return (
    <>
      <Section title={t('Agents')}>
        <Table
          caption={t('Agents')}
          rows={person.agents}
          keyOf={({ urn }) => urn.body}
          empty={<p>{t('No agents.')}</p>}
          columns={[
            { title: t('Name'), cell: ({ display_name: name }) => <strong>{name}</strong> },
            { title: t('State'), cell: ({ deactivated_at: at }) => <State name={at ? 'deactivated' : 'active'} /> },
            { title: t('Since'), isLabelled: true, cell: ({ created_at: at }) => <Time at={at} /> },
            { title: t('Id'), isLabelled: true, cell: ({ urn }) => <Hash value={urn.body} /> },
          ]}
        />
      </Section>
      <Section title={t('Orders')}>
        <Table
          caption={t('Orders, newest first')}
          rows={person.orders}
          keyOf={({ urn }) => urn.body}
          empty={<p>{t('No orders.')}</p>}
          columns={[
            { title: t('Parties'), cell: ({ buyer, seller }) => t('{buyer} buys from {seller}', { buyer, seller }) },
            { title: t('State'), cell: ({ state }) => <State name={state} /> },
            { title: t('Their side'), isLabelled: true, cell: ({ side }) => word(side) },
            { title: t('Escrow'), isLabelled: true, cell: ({ escrow_mode: mode }) => word(mode) },
            {
              title: t('Price'),
              isNumber: true,
              isLabelled: true,
              cell: ({ price }) => <Amount value={price} aligned={person.orders.map((each) => each.price)} />,
            },
            { title: t('Placed'), isLabelled: true, cell: ({ placed_at: at }) => <Time at={at} /> },
            { title: t('Id'), isLabelled: true, cell: ({ urn }) => <Hash value={urn.body} /> },
          ]}
        />
      </Section>
    </>
  )
}

function Ends({ person }: { person: Body<'readPerson'> }) {
  return (
    <>
      <Section title={t('Disputes')}>
        <Table
          caption={t('Disputes, newest first')}
          rows={person.disputes}
          keyOf={({ urn }) => urn.body}
          empty={<p>{t('No disputes.')}</p>}
          columns={[
            { title: t('Dispute'), cell: ({ urn }) => <Hash value={urn.body} /> },
            { title: t('State'), cell: ({ state }) => <State name={state} /> },
            { title: t('Outcome'), isLabelled: true, cell: ({ outcome }) => (outcome ? word(outcome) : '–') },
            { title: t('Opened'), isLabelled: true, cell: ({ opened_at: at }) => <Time at={at} /> },
            { title: t('Order'), isLabelled: true, cell: ({ order_urn: order }) => <Hash value={order.body} /> },
          ]}
        />
      </Section>
      <Section title={t('Payouts')}>
        <Table
          caption={t('Payouts, newest first')}
          rows={person.payouts}
          keyOf={({ urn }) => urn.body}
          empty={<p>{t('No payouts.')}</p>}
          columns={[
            { title: t('Payout'), cell: ({ urn }) => <Hash value={urn.body} /> },
            {
              title: t('State'),
              cell: ({ state, reason }) => (
                <>
                  <State name={state} /> {reason ? <span className="small muted">{reason}</span> : null}
                </>
              ),
            },
            {
              title: t('Amount'),
              isNumber: true,
              isLabelled: true,
              cell: ({ amount }) => <Amount value={amount} aligned={person.payouts.map((each) => each.amount)} />,
            },
            { title: t('Since'), isLabelled: true, cell: ({ created_at: at }) => <Time at={at} /> },
          ]}
        />
      </Section>
    </>
  )
}

function Wallets({ person }: { person: Body<'readPerson'> }) {
  return (
    <Section title={t('Wallets')}>
      <Table
        caption={t('Wallets')}
        rows={person.wallets}
        keyOf={({ urn }) => urn.body}
        empty={<p>{t('No wallets.')}</p>}
        columns={[
          { title: t('Address'), cell: ({ address }) => <ChainHash kind="address" value={address} /> },
          {
            title: t('State'),
            cell: ({ is_doubtful: isDoubtful }) =>
              isDoubtful ? (
                <State name="blocked" label={t('must sign again')} />
              ) : (
                <State name="active" label={t('verified')} />
              ),
          },
          {
            title: t('Paid to'),
            isLabelled: true,
            cell: ({ is_for_payouts: isPaid }) => (isPaid ? t('yes') : t('no')),
          },
          {
            title: t('Of'),
            isLabelled: true,
            cell: ({ account_urn: account }) => (
              <>
                {account.prefix} <Hash value={account.body} />
              </>
            ),
          },
          { title: t('Verified'), isLabelled: true, cell: ({ verified_at: at }) => <Time at={at} /> },
        ]}
      />
    </Section>
  )
}
