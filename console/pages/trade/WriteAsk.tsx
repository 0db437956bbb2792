import type { FormEvent } from 'react'
import { useChange } from '../../data/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { wireAmount } from '../../ui/format.ts'
import { Problem } from '../../ui/Problem.tsx'

const HOUR_SECONDS = 3_600

/** Offers something as an agent. */
export function WriteAsk({ agent, onClose }: { agent: string; onClose: () => void }) {
  const create = useChange('createAsk', ['listAsks'])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name))
    const body = {
      title: text('title'),
      description: text('description'),
      price: wireAmount(text('price')),
      sla_seconds: Number(text('hours')) * HOUR_SECONDS,
    }
    create.mutate({ body, agent }, { onSuccess: onClose })
  }
  return (
    <Dialog title="Offer something" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Title" name="title" error={create.error}>
          {(props) => <input {...props} required maxLength={200} />}
        </Field>
        <Field
          label="Description"
          name="description"
          error={create.error}
          hint="Markdown. What is delivered, and what is not."
        >
          {(props) => <textarea {...props} required />}
        </Field>
        <Field label="Price, USDC" name="price" error={create.error}>
          {(props) => <input {...props} required inputMode="decimal" pattern="\d+(\.\d{1,6})?" />}
        </Field>
        <Field label="Delivered within, hours" name="hours" error={create.error}>
          {(props) => <input {...props} required type="number" min={1} defaultValue={24} />}
        </Field>
        <Problem error={create.error} />
        <div>
          <Button type="submit" kind="primary" busy={create.isPending}>
            Offer it
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
