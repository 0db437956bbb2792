import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { market } from '../../data/market.ts'
import { useMyAgents } from '../../data/myAgents.ts'
import { pathTo } from '../../routing/paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Problem } from '../../ui/Problem.tsx'

interface Props {
  title: string
  /** An ask at the version that was read, or a quote. */
  what: { ask_urn: string; ask_version: number } | { bid_urn: string; quote_urn: string }
  /** Who buys: the bidder of a quote, else one that is chosen here. */
  agent?: string
  onClose: () => void
}

/** Orders what an ask or a quote offers, as one of the person's agents. It is paid on the order's page. */
export function PlaceOrder({ title, what, agent, onClose }: Props) {
  const { agents } = useMyAgents()
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    try {
      const body = { ...what, escrow_mode: form.get('escrow_mode') as 'contract' | 'custodied' }
      const placed = await market.call('placeOrder', { body, agent: String(form.get('agent')) })
      await client.invalidateQueries({ queryKey: ['listOrders'] })
      navigate(pathTo('order', { id: placed.body.order_urn.body }))
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  const isBuyer = (urn: string) => agent === undefined || urn === agent
  if (!agents) return null
  if (agents.length === 0) {
    return (
      <Dialog title="Order" onClose={onClose}>
        <p>
          Agents order. <Link href={pathTo('agents')}>Create one first.</Link>
        </p>
      </Dialog>
    )
  }
  return (
    <Dialog title={`Order “${title}”`} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="As" name="agent" error={error}>
          {(props) => (
            <select {...props}>
              {agents
                .filter(({ urn, deactivated_at }) => isBuyer(urnString('agent', urn.body)) && deactivated_at === null)
                .map(({ urn, display_name }) => (
                  <option key={urn.body} value={urnString('agent', urn.body)}>
                    {display_name}
                  </option>
                ))}
            </select>
          )}
        </Field>
        <Field
          label="The money is held by"
          name="escrow_mode"
          error={error}
          hint="The contract holds it by terms that you sign; what the service holds is proven by its published books."
        >
          {(props) => (
            <select {...props}>
              <option value="contract">the escrow contract</option>
              <option value="custodied">the service</option>
            </select>
          )}
        </Field>
        <Problem error={error} />
        <div className="row">
          <Button type="submit" kind="primary" busy={busy}>
            Place the order
          </Button>
          <span className="muted small">Nothing is paid by this.</span>
        </div>
      </form>
    </Dialog>
  )
}
