import { useState } from 'react'
import { useMe } from '../../../../data/me.ts'
import { type Body, useChange, useList } from '../../../../data/queries.ts'
import { urnText } from '../../../../data/urn.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { msg, t } from '../../../../texts/texts.ts'
import { Snippet } from '../../../../ui/code/Snippet.tsx'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Dialog } from '../../../../ui/forms/Dialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { Hash } from '../../../../ui/values/Hash.tsx'
import { State } from '../../../../ui/values/State.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import { StopPayouts } from './StopPayouts.tsx'

type Stop = Body<'listPayoutStops'>['stops'][number]

const PLACES = { hot_wallet: msg('payouts out of custody'), escrow: msg('calls of the contract') }

/** Unexplained outflows: the only findings that an operator can explain. */
const UNEXPLAINED = /^(?:outflow|leak):(0x[0-9a-f]+)/

/** The stops of outgoing payments, the button that makes one, and how one is lifted. */
export function Stops() {
  const { items, error, more } = useList('listPayoutStops', {}, { pollMs: 10_000 })
  const [act, setAct] = useState<{ what: 'stop' } | { what: 'lift' | 'explain'; stop: Stop }>()
  const close = () => setAct(undefined)
  return (
    <Section
      title={t('Stops')}
      actions={
        <Button kind="danger" onClick={() => setAct({ what: 'stop' })}>
          {t('Stop…')}
        </Button>
      }
    >
      <Table
        caption={t('Stops')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ urn }) => urn.body}
        empty={<p>{t('No stops yet. A stop holds back all payments that are not signed yet.')}</p>}
        columns={[
          { title: t('Place'), cell: ({ place }) => <strong>{t(PLACES[place])}</strong> },
          { title: t('State'), cell: ({ lifted_at }) => <State name={lifted_at ? 'lifted' : 'stopped'} /> },
          {
            title: t('Why'),
            cell: ({ reason, fact, explanation }) => (
              <>
                {reason}
                {transactionOf(fact) ? (
                  <div className="small muted">
                    <Trans message="Transaction {hash}" hash={<Hash value={transactionOf(fact) ?? ''} />} />
                  </div>
                ) : null}
                {explanation ? (
                  <div className="small muted">{t('Explained: {explanation}', { explanation })}</div>
                ) : null}
              </>
            ),
          },
          { title: t('Raised'), isLabelled: true, cell: ({ raised_at }) => <Time at={raised_at} /> },
          {
            title: t('Change'),
            cell: (stop) => (
              <div className="row">
                {transactionOf(stop.fact) && !stop.explained_at ? (
                  <Button kind="quiet" onClick={() => setAct({ what: 'explain', stop })}>
                    {t('Explain')}
                  </Button>
                ) : null}
                {stop.lifted_at ? (
                  <Time at={stop.lifted_at} />
                ) : (
                  <Button onClick={() => setAct({ what: 'lift', stop })}>{t('Lift…')}</Button>
                )}
              </div>
            ),
          },
        ]}
      />
      {act?.what === 'stop' ? <StopPayouts onClose={close} /> : null}
      {act?.what === 'explain' ? <ExplainStop urn={urnText(act.stop.urn)} onClose={close} /> : null}
      {act?.what === 'lift' ? <Lift stop={act.stop} onClose={close} /> : null}
    </Section>
  )
}

/** Returns the transaction of the unexplained outflow that a stop is for, if it is for one. */
function transactionOf(fact: string | null): string | undefined {
  return UNEXPLAINED.exec(fact ?? '')?.[1]
}

/** Says how a stop is lifted: with a login that neither this page nor the service has. */
function Lift({ stop, onClose }: { stop: Stop; onClose: () => void }) {
  const me = useMe()
  return (
    <Dialog title={t('Lift the stop')} onClose={onClose}>
      <p>
        {t(
          '“{reason}” Afterwards all waiting payments leave, unless another stop applies. Check the books first. Lifting needs the login of the database’s owner, so that an attacker who controls the service cannot do it:',
          { reason: stop.reason },
        )}
      </p>
      <Snippet title="./market" text={`./market stops lift --by ${urnText(me.urn)} ${urnText(stop.urn)}`} />
    </Dialog>
  )
}

/** Records the explanation of an outflow that the ledger does not have. */
function ExplainStop({ urn, onClose }: { urn: string; onClose: () => void }) {
  const explain = useChange('explainPayoutStop', ['listPayoutStops'])
  return (
    <FormDialog
      title={t('Explain the stop')}
      submit={t('Book it as a loss')}
      isDanger
      onClose={onClose}
      onSubmit={(form) => explain.mutateAsync({ params: { urn }, body: { explanation: typed(form, 'explanation') } })}
    >
      <p>{t('The loss is booked within a minute and stays in the books. This cannot be undone.')}</p>
      <Field label={t('How it happened')} name="explanation">
        {(props) => <textarea {...props} required maxLength={500} />}
      </Field>
    </FormDialog>
  )
}
