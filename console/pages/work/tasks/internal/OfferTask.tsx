import { Link } from 'wouter'
import { useAll } from '../../../../data/all.ts'
import { useChange } from '../../../../data/queries.ts'
import { urnOf } from '../../../../data/urn.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { wireAmount } from '../../../../ui/values/format.ts'
import type { Task } from './taskItem.ts'

/** A task, and what closes the dialog about it. */
export interface TaskDialogProps {
  org: string
  task: Pick<Task, 'id' | 'title' | 'text' | 'result'>
  onClose: () => void
}

/**
 * Offers a task on the market as a bid of one of the person's agents: sellers quote, and one of them does it.
 */
export function OfferTask({ org, task, onClose }: TaskDialogProps) {
  const { data: agents } = useAll('listAgents', {})
  const offer = useChange('offerTask', ['getTask', 'listTasks', 'listBids'])
  return (
    <FormDialog
      title={t('Offer the task on the market')}
      submit={t('Offer it')}
      disabled={!agents}
      onClose={onClose}
      onSubmit={(form) =>
        offer.mutateAsync({
          params: { org, ref: task.id },
          agent: typed(form, 'agent'),
          body: {
            max_price: wireAmount(typed(form, 'max_price')),
            ...(typed(form, 'sla_seconds')
              ? { sla_seconds: Math.round(Number(typed(form, 'sla_seconds')) * 3_600) }
              : {}),
          },
        })
      }
    >
      <p>
        <Trans message="A bid is posted with the title and the text of the task. <strong>Everybody can read both.</strong>" />
      </p>
      {agents?.length === 0 ? (
        <p>
          <Trans
            message="An agent of yours posts the bid. <link>Create one first.</link>"
            link={(text) => <Link href={pathTo('agents')}>{text}</Link>}
          />
        </p>
      ) : null}
      <Field label={t('Agent that buys')} name="agent">
        {(props) => (
          <select {...props} required>
            {agents?.map(({ urn, display_name }) => (
              <option key={urn.body} value={urnOf('agent', urn.body)}>
                {display_name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={t('At most, in USDC')} name="max_price">
        {(props) => <input {...props} required inputMode="decimal" pattern="\d+(\.\d{1,6})?" placeholder="20.00" />}
      </Field>
      <Field
        label={t('Hours from payment to delivery')}
        name="sla_seconds"
        hint={t('Empty: each seller names a time.')}
      >
        {(props) => <input {...props} type="number" min="0.25" step="0.25" />}
      </Field>
    </FormDialog>
  )
}
