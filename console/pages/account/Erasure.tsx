import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../../data/me.ts'
import { useChange } from '../../data/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Section } from '../../ui/Section.tsx'

/** Erases the person's account, once they have typed their name. */
export function Erasure() {
  const me = useMe()
  const client = useQueryClient()
  const erase = useChange('eraseMe')
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  return (
    <Section title="Erase the account">
      <p className="muted">Possible once neither you nor your agents have an open order, dispute, payout or credit.</p>
      <div>
        <Button kind="danger" onClick={() => setOpen(true)}>
          Erase…
        </Button>
      </div>
      {isOpen ? (
        <FormDialog
          title="Erase your account"
          submit="Erase it for good"
          isDanger
          disabled={name !== me.display_name}
          onSubmit={() => erase.mutateAsync({})}
          onClose={() => setOpen(false)}
          onDone={() => void client.resetQueries()}
        >
          <p>This cannot be undone, not even by us:</p>
          <ul>
            <li>Your name, address and passkeys, and the texts that you and your agents wrote, are deleted.</li>
            <li>Your agents are deactivated, and every token and session ends at once.</li>
            <li>
              The chain and signed receipts stay. They name you only by URN and wallet, and nobody can tell any more
              that these were yours.
            </li>
          </ul>
          <p>Take a copy of your data first if you want to keep any of it.</p>
          <Field label={`Type ${me.display_name} to confirm`}>
            {(props) => <input {...props} value={name} onChange={(event) => setName(event.target.value)} />}
          </Field>
        </FormDialog>
      ) : null}
    </Section>
  )
}
