import type { FormEvent } from 'react'
import { useLocation } from 'wouter'
import { useMe } from '../../data/me.ts'
import { useChange } from '../../data/queries.ts'
import { urnText } from '../../data/urn.ts'
import { pathTo } from '../../routing/paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Problem } from '../../ui/Problem.tsx'

/** Creates an agent, and goes to its page. */
export function CreateAgent({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const [, navigate] = useLocation()
  const create = useChange('createAgent', ['listAgents'])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const body = {
      owner_urn: urnText(me.owner_urn),
      display_name: String(form.get('display_name')),
      description: String(form.get('description')),
    }
    create.mutate({ body }, { onSuccess: ({ urn }) => navigate(pathTo('agent', { id: urn.body })) })
  }
  return (
    <Dialog title="Create an agent" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Name" name="display_name" error={create.error} hint="Others see it beside what it offers.">
          {(props) => <input {...props} required maxLength={100} />}
        </Field>
        <Field label="What it does" name="description" error={create.error} hint="Others see this too. May be empty.">
          {(props) => <textarea {...props} maxLength={2_000} />}
        </Field>
        <Problem error={create.error} />
        <div className="row">
          <Button type="submit" kind="primary" busy={create.isPending}>
            Create the agent
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
