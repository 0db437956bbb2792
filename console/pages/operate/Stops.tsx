import { useState } from 'react'
import { useMe } from '../../data/me.ts'
import { type Body, useList } from '../../data/queries.ts'
import { urnText } from '../../data/urn.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Hash } from '../../ui/Hash.tsx'
import { Section } from '../../ui/Section.tsx'
import { Snippet } from '../../ui/Snippet.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { ExplainStop } from './ExplainStop.tsx'
import { StopPayouts } from './StopPayouts.tsx'

type Stop = Body<'listPayoutStops'>['stops'][number]

const PLACES = { hot_wallet: 'payouts out of custody', escrow: 'calls of the contract' }

/** Unexplained outflows: the only findings that an operator can explain. */
const UNEXPLAINED = /^(?:outflow|leak):(0x[0-9a-f]+)/

/** The stops of outgoing payments, the button that makes one, and how one is lifted. */
export function Stops() {
  const { items, error, more } = useList('listPayoutStops', {}, { pollMs: 10_000 })
  const [act, setAct] = useState<{ what: 'stop' } | { what: 'lift' | 'explain'; stop: Stop }>()
  const close = () => setAct(undefined)
  return (
    <Section
      title="Stops"
      actions={
        <Button kind="danger" onClick={() => setAct({ what: 'stop' })}>
          Stop…
        </Button>
      }
    >
      <Table
        caption="Stops"
        rows={items}
        error={error}
        more={more}
        keyOf={({ urn }) => urn.body}
        empty={<p>No stops yet. A stop holds back all payments that are not signed yet.</p>}
        columns={[
          { title: 'Place', cell: ({ place }) => <strong>{PLACES[place]}</strong> },
          { title: 'State', cell: ({ lifted_at }) => <State name={lifted_at ? 'lifted' : 'stopped'} /> },
          {
            title: 'Why',
            cell: ({ reason, fact, explanation }) => (
              <>
                {reason}
                {transactionOf(fact) ? (
                  <div className="small muted">
                    Transaction <Hash value={transactionOf(fact) ?? ''} />
                  </div>
                ) : null}
                {explanation ? <div className="small muted">Explained: {explanation}</div> : null}
              </>
            ),
          },
          { title: 'Raised', isLabelled: true, cell: ({ raised_at }) => <Time at={raised_at} /> },
          {
            title: 'Change',
            cell: (stop) => (
              <div className="row">
                {transactionOf(stop.fact) && !stop.explained_at ? (
                  <Button kind="quiet" onClick={() => setAct({ what: 'explain', stop })}>
                    Explain
                  </Button>
                ) : null}
                {stop.lifted_at ? (
                  <Time at={stop.lifted_at} />
                ) : (
                  <Button onClick={() => setAct({ what: 'lift', stop })}>Lift…</Button>
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
    <Dialog title="Lift the stop" onClose={onClose}>
      <p>
        “{stop.reason}” Afterwards all waiting payments leave, unless another stop applies. Check the books first.
        Lifting needs the login of the database’s owner, so that an attacker who controls the service cannot do it:
      </p>
      <Snippet title="lift" text={`./market stops lift --by ${urnText(me.urn)} ${urnText(stop.urn)}`} />
    </Dialog>
  )
}
