import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { useChange } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Form, typed } from '../../../../ui/forms/Form.tsx'
import type { Viewer } from '../record/order.ts'

/** Writes to the other party, in the order's thread. */
export function MessageForm({ threadId, viewer }: { threadId: string; viewer: Viewer }) {
  const post = useChange('postMessage', ['getOrderTimeline'])
  const submit = (form: FormData) => {
    const body = { thread_urn: urnString('thread', threadId), kind: 'text' as const, body: typed(form, 'body') }
    return post.mutateAsync({ body, agent: viewer.agent })
  }
  return (
    <Form submit={t('Send')} resets onSubmit={submit}>
      <Field label={viewer.side === 'buyer' ? t('Write to the seller') : t('Write to the buyer')} name="body">
        {(props) => <textarea {...props} required />}
      </Field>
    </Form>
  )
}
