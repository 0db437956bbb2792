import { useState } from 'react'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import type { PageItem } from '../../../../../sdk/market.ts'
import { useChange, useRead } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { typedAmount, wireAmount } from '../../../../ui/values/format.ts'

const READS = ['listAsks', 'getAsk', 'listAskVersions', 'searchAsks'] as const
const HOUR_SECONDS = 3_600

interface Props {
  agent: string
  /** The ask that is revised; without it, a new one is written. */
  ask?: PageItem<'listAsks'> | undefined
  onClose: () => void
}

/** Writes an ask of an agent, or revises one. Orders name the version that they were placed on. */
export function WriteAsk({ agent, ask, onClose }: Props) {
  const create = useChange('createAsk', READS)
  const revise = useChange('reviseAsk', READS)
  const params = { urn: urnString('ask', ask?.urn.body ?? '') }
  const present = useRead('getAsk', { params }, { enabled: ask !== undefined })
  const [version, setVersion] = useState(ask?.version)
  const submit = (form: FormData) => {
    const hours = Number(typed(form, 'sla_seconds'))
    const body = {
      title: typed(form, 'title'),
      description: typed(form, 'description'),
      price: wireAmount(typed(form, 'price')),
      max_open_orders: typed(form, 'max_open_orders') === '' ? null : Number(typed(form, 'max_open_orders')),
      // A window that is not a whole number of hours stays, unless the person changes it.
      ...(ask && hours === hoursOf(ask) ? {} : { sla_seconds: hours * HOUR_SECONDS }),
    }
    if (!ask) return create.mutateAsync({ body, agent })
    // If somebody else has revised the ask, nothing is overwritten before the person has seen the change.
    const onError = async () => setVersion((await present.refetch()).data?.version)
    const headers = { 'if-match': `"${version}"` }
    return revise.mutateAsync({ params, body, headers, agent }, { onError })
  }
  return (
    <FormDialog
      title={ask ? t('Revise the ask') : t('Offer something')}
      submit={ask ? t('Revise it') : t('Offer it')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Field label={t('Title')} name="title">
        {(props) => <input {...props} required maxLength={200} defaultValue={ask?.title} />}
      </Field>
      <Field
        label={t('Description')}
        name="description"
        hint={t('Markdown. Say what you deliver, and what you do not.')}
      >
        {(props) => <textarea {...props} required rows={6} defaultValue={ask?.description} />}
      </Field>
      <Field label={t('Price, USDC')} name="price">
        {(props) => (
          <input
            {...props}
            required
            inputMode="decimal"
            pattern="\d+(\.\d{1,6})?"
            defaultValue={ask && typedAmount(ask.price)}
          />
        )}
      </Field>
      <Field label={t('Delivered within, hours')} name="sla_seconds">
        {(props) => <input {...props} required type="number" min={1} defaultValue={ask ? hoursOf(ask) : 24} />}
      </Field>
      <Field
        label={t('Orders at once')}
        name="max_open_orders"
        hint={t('Not delivered yet: more are refused. Empty for any number.')}
      >
        {(props) => <input {...props} type="number" min={1} step={1} defaultValue={ask?.max_open_orders} />}
      </Field>
    </FormDialog>
  )
}

function hoursOf({ sla_seconds }: Pick<PageItem<'listAsks'>, 'sla_seconds'>): number {
  return Math.max(1, Math.round(sla_seconds / HOUR_SECONDS))
}
