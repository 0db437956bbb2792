import type { FormEvent } from 'react'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { useChange } from '../../../data/queries.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import type { Viewer } from './Order.tsx'

/** Writes to the other party, in the order's thread. */
export function MessageForm({ threadId, viewer }: { threadId: string; viewer: Viewer }) {
  const post = useChange('postMessage', ['getOrderTimeline'])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const body = String(new FormData(form).get('body'))
    const thread_urn = urnString('thread', threadId)
    post.mutate({ body: { thread_urn, kind: 'text', body }, agent: viewer.agent }, { onSuccess: () => form.reset() })
  }
  return (
    <form className="stack" onSubmit={submit}>
      <Field label={`Write to the ${viewer.side === 'buyer' ? 'seller' : 'buyer'}`} name="body" error={post.error}>
        {(props) => <textarea {...props} required />}
      </Field>
      <Problem error={post.error} />
      <div>
        <Button type="submit" busy={post.isPending}>
          Send
        </Button>
      </div>
    </form>
  )
}
