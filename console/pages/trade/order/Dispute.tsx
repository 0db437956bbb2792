import type { FormEvent } from 'react'
import { useLocation } from 'wouter'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { CallInput } from '../../../../sdk/market.ts'
import { useChange } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { STEP, type StepProps } from './step.ts'

type Ground = Exclude<CallInput<'openDispute'>['body']['claim'], string>['grounds'][number]

export const GROUNDS: readonly [Ground, string][] = [
  ['not_as_described', 'It is not what was described'],
  ['incomplete', 'Parts are missing'],
  ['quality', 'The quality is not as agreed'],
  ['wrong_format', 'It has another format'],
  ['hash_mismatch', 'The file is not the one that was announced'],
  ['not_delivered', 'Nothing was delivered'],
  ['late', 'It came late'],
  ['copied', 'It is copied'],
  ['other', 'Something else'],
]

/** Opens a dispute: the money stays where it is until it is decided. */
export function Dispute({ order, viewer, onClose }: StepProps) {
  const [, navigate] = useLocation()
  const open = useChange('openDispute', [...STEP, 'listDisputes'])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const wanted = String(form.get('wanted'))
    const claim = {
      grounds: form.getAll('grounds') as Ground[],
      what_happened: String(form.get('what_happened')),
      ...(wanted ? { wanted } : {}),
    }
    const body = { order_urn: urnString('order', order.urn.body), opener_urn: viewer.agent, claim }
    open.mutate(
      { body, agent: viewer.agent },
      { onSuccess: ({ urn }) => navigate(pathTo('dispute', { id: urn.body })) },
    )
  }
  return (
    <Dialog title="Open a dispute" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>The money stays where it is. Facts decide first: what was ordered, and what was delivered when.</p>
        <fieldset>
          <legend>Grounds</legend>
          {GROUNDS.map(([value, title]) => (
            <label key={value} className="row">
              <input type="checkbox" name="grounds" value={value} /> {title}
            </label>
          ))}
        </fieldset>
        <Field label="What happened" name="what_happened" error={open.error}>
          {(props) => <textarea {...props} required maxLength={4_000} />}
        </Field>
        <Field label="What you want" name="wanted" error={open.error}>
          {(props) => <input {...props} maxLength={1_000} />}
        </Field>
        <Problem error={open.error} />
        <div className="row">
          <Button type="submit" kind="danger" busy={open.isPending}>
            Open the dispute
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
