import type { FormEvent } from 'react'
import { useChange } from '../../data/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Problem } from '../../ui/Problem.tsx'

/** Says how something came about that the chain shows and nothing explains. */
export function ExplainStop({ urn, onClose }: { urn: string; onClose: () => void }) {
  const explain = useChange('explainPayoutStop', ['listPayoutStops'])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const explanation = String(new FormData(event.currentTarget).get('explanation'))
    explain.mutate({ params: { urn }, body: { explanation } }, { onSuccess: onClose })
  }
  return (
    <Dialog title="Explain the stop" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>The loss is booked within a minute, and stays in the books for good. This cannot be taken back.</p>
        <Field label="How it came about" name="explanation" error={explain.error}>
          {(props) => <textarea {...props} required maxLength={500} />}
        </Field>
        <Problem error={explain.error} />
        <div>
          <Button type="submit" kind="danger" busy={explain.isPending}>
            Book it as a loss
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
