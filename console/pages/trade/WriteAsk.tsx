import { type FormEvent, useState } from 'react'
import { urnString } from '../../../protocol/encoding/urn.ts'
import type { PageItem } from '../../../sdk/market.ts'
import { useChange, useRead } from '../../data/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { typedAmount, wireAmount } from '../../ui/format.ts'
import { Problem } from '../../ui/Problem.tsx'

const READS = ['listAsks', 'getAsk', 'listAskVersions', 'searchAsks'] as const
const HOUR_SECONDS = 3_600

interface Props {
  agent: string
  /** The ask that is revised; without it, a new one is written. */
  ask?: PageItem<'listAsks'> | undefined
  onClose: () => void
}

/** Offers something as an agent, or revises what it offers: orders name the version that they were placed on. */
export function WriteAsk({ agent, ask, onClose }: Props) {
  const create = useChange('createAsk', READS)
  const revise = useChange('reviseAsk', READS)
  const { error, isPending } = ask ? revise : create
  const params = { urn: urnString('ask', ask?.urn.body ?? '') }
  const present = useRead('getAsk', { params }, { enabled: ask !== undefined })
  const [version, setVersion] = useState(ask?.version)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name))
    const body = {
      title: text('title'),
      description: text('description'),
      price: wireAmount(text('price')),
      // A window that is no whole number of hours stays as it is, unless another is typed.
      ...(ask && Number(text('hours')) === hoursOf(ask) ? {} : { sla_seconds: Number(text('hours')) * HOUR_SECONDS }),
    }
    if (!ask) return create.mutate({ body, agent }, { onSuccess: onClose })
    // Where somebody else has revised it meanwhile nothing is overwritten, until the person has seen what they changed.
    const onError = async () => setVersion((await present.refetch()).data?.version)
    const headers = { 'if-match': `"${version}"` }
    return revise.mutate({ params, body, headers, agent }, { onSuccess: onClose, onError })
  }
  return (
    <Dialog title={ask ? 'Revise the ask' : 'Offer something'} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Title" name="title" error={error}>
          {(props) => <input {...props} required maxLength={200} defaultValue={ask?.title} />}
        </Field>
        <Field
          label="Description"
          name="description"
          error={error}
          hint="Markdown. What is delivered, and what is not."
        >
          {(props) => <textarea {...props} required rows={6} defaultValue={ask?.description} />}
        </Field>
        <Field label="Price, USDC" name="price" error={error}>
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
        <Field label="Delivered within, hours" name="hours" error={error}>
          {(props) => <input {...props} required type="number" min={1} defaultValue={ask ? hoursOf(ask) : 24} />}
        </Field>
        <Problem error={error} />
        <div>
          <Button type="submit" kind="primary" busy={isPending}>
            {ask ? 'Revise it' : 'Offer it'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function hoursOf({ sla_seconds }: Pick<PageItem<'listAsks'>, 'sla_seconds'>): number {
  return Math.max(1, Math.round(sla_seconds / HOUR_SECONDS))
}
