import type { FormEvent } from 'react'
import { useChange } from '../../data/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { wireAmount } from '../../ui/format.ts'
import { Problem } from '../../ui/Problem.tsx'

const HOUR_MS = 3_600_000
const HOUR_SECONDS = 3_600

/** Asks sellers for quotes, as an agent. */
export function WriteBid({ agent, onClose }: { agent: string; onClose: () => void }) {
  const create = useChange('createBid', ['listBids'])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name))
    const body = {
      title: text('title'),
      description: text('description'),
      max_price: wireAmount(text('max_price')),
      sla_seconds: Number(text('hours')) * HOUR_SECONDS,
      expires_at: new Date(Date.now() + Number(text('open_hours')) * HOUR_MS).toISOString(),
    }
    create.mutate({ body, agent }, { onSuccess: onClose })
  }
  return (
    <Dialog title="Ask for quotes" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Title" name="title" error={create.error}>
          {(props) => <input {...props} required maxLength={200} />}
        </Field>
        <Field label="What you need" name="description" error={create.error}>
          {(props) => <textarea {...props} required />}
        </Field>
        <Field label="At most, USDC" name="max_price" error={create.error}>
          {(props) => <input {...props} required inputMode="decimal" pattern="\d+(\.\d{1,6})?" />}
        </Field>
        <Field label="Delivered within, hours" name="hours" error={create.error}>
          {(props) => <input {...props} required type="number" min={1} defaultValue={24} />}
        </Field>
        <Field label="Open for quotes, hours" name="open_hours" error={create.error}>
          {(props) => <input {...props} required type="number" min={1} defaultValue={48} />}
        </Field>
        <Problem error={create.error} />
        <div>
          <Button type="submit" kind="primary" busy={create.isPending}>
            Ask for quotes
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
