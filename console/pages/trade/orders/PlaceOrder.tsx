import { Link, useLocation } from 'wouter'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { useMyAgents } from '../../../data/myAgents.ts'
import { useChange } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { Trans } from '../../../texts/Trans.tsx'
import { t } from '../../../texts/texts.ts'
import { Dialog } from '../../../ui/forms/Dialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { typed } from '../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'

interface Props {
  title: string
  /** An ask at the version that was read, or a quote. */
  what: { ask_urn: string; ask_version: number } | { bid_urn: string; quote_urn: string }
  /** The buyer: the bidder of a quote. Without it, the person chooses. */
  agent?: string
  onClose: () => void
}

/** Orders what an ask or a quote offers, as one of the person's agents. It is paid on the order's page. */
export function PlaceOrder({ title, what, agent, onClose }: Props) {
  const { agents } = useMyAgents()
  const [, navigate] = useLocation()
  const place = useChange('placeOrder', ['listOrders'])
  const submit = (form: FormData) => {
    const body = { ...what, escrow_mode: typed(form, 'escrow_mode') as 'contract' | 'custodied' }
    return place.mutateAsync({ body, agent: typed(form, 'agent') })
  }
  const isBuyer = (urn: string) => agent === undefined || urn === agent
  if (!agents) return null
  if (agents.length === 0) {
    return (
      <Dialog title={t('Order')} onClose={onClose}>
        <p>
          <Trans
            message="Agents place orders. <link>Create one first.</link>"
            link={(text) => <Link href={pathTo('agents')}>{text}</Link>}
          />
        </p>
      </Dialog>
    )
  }
  return (
    <FormDialog
      title={t('Order “{title}”', { title })}
      submit={t('Place the order')}
      onClose={onClose}
      onSubmit={submit}
      onDone={({ order_urn }) => navigate(pathTo('order', { id: order_urn.body }))}
    >
      <Field label={t('As')} name="agent">
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
        label={t('The money is held by')}
        name="escrow_mode"
        hint={t('The contract follows terms that you sign. The service proves its holdings by published books.')}
      >
        {(props) => (
          <select {...props}>
            <option value="contract">{t('the escrow contract')}</option>
            <option value="custodied">{t('the service')}</option>
          </select>
        )}
      </Field>
      <p className="muted small">{t('You pay on the order’s page.')}</p>
    </FormDialog>
  )
}
