import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type UrnObject, urnString } from '../../../../protocol/urn.ts'
import type { PageItem } from '../../../../sdk/market.ts'
import { sha256Hex } from '../../../data/digest.ts'
import { market } from '../../../data/market.ts'
import type { Body } from '../../../data/queries.ts'
import { Field } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { timeText } from '../../../ui/format.ts'
import type { Viewer } from '../order/Order.tsx'
import type { DisputeBody } from './Dispute.tsx'
import { excerptOf } from './excerptOf.ts'
import { STEP } from './step.ts'

interface Props {
  dispute: DisputeBody
  order: Body<'getOrder'>
  viewer: Viewer
  messages: readonly PageItem<'listMessages'>[]
  onClose: () => void
}

/** Refers to messages and delivered files of the order; the seller can hand in a file too. */
export function AddEvidence({ dispute, order, viewer, messages, onClose }: Props) {
  const client = useQueryClient()
  const { agent } = viewer
  const add = useMutation({
    mutationFn: async (form: FormData) => {
      const file = form.get('file')
      const evidence = form.getAll('evidence').map(String)
      if (file instanceof File && file.size > 0) evidence.push(await upload(order, agent, file))
      if (evidence.length === 0) throw new Error('Choose at least one message or file.')
      await market.call('submitEvidence', {
        params: { urn: urnString('dispute', dispute.urn.body) },
        body: { evidence },
        agent,
      })
    },
    onSuccess: async () => {
      await Promise.all(STEP.map((name) => client.invalidateQueries({ queryKey: [name] })))
      onClose()
    },
  })
  return (
    <FormDialog
      title="Add evidence"
      submit="Add it"
      busy={add.isPending}
      error={add.error}
      onClose={onClose}
      onSubmit={(form) => add.mutate(form)}
    >
      <p>It is read by whoever decides, and by the other side. Each side can refer to twenty things.</p>
      <fieldset className="stack">
        <legend>Of this order</legend>
        {messages.length === 0 ? <p className="muted">Nobody has written anything.</p> : null}
        {messages.flatMap((message) =>
          referencesTo(message).map(({ urn, title }) => (
            <label key={urn} className="choice">
              <input type="checkbox" name="evidence" value={urn} disabled={message.sealed !== undefined} />
              <span>
                {title} <span className="muted small">{timeText(message.created_at)}</span>
              </span>
            </label>
          )),
        )}
      </fieldset>
      {viewer.side === 'seller' ? (
        <Field label="A file of yours" name="file" hint="It becomes an upload of this order.">
          {(props) => <input {...props} type="file" />}
        </Field>
      ) : null}
    </FormDialog>
  )
}

/** What a message can be referred to by: itself, and the file that it hands over. */
function referencesTo(message: PageItem<'listMessages'>): { urn: string; title: string }[] {
  const itself = { urn: urnString('message', message.urn.body), title: excerptOf(message) }
  const { delivery_urn } = (message.payload ?? {}) as { delivery_urn?: UrnObject }
  if (!delivery_urn) return [itself]
  return [itself, { urn: urnString('delivery', delivery_urn.body), title: 'the file it hands over' }]
}

async function upload(order: Body<'getOrder'>, agent: string, file: File): Promise<string> {
  const query = {
    order_urn: urnString('order', order.urn.body),
    output_hash: await sha256Hex(file),
    filename: file.name,
  }
  const headers = { 'content-type': 'application/octet-stream' }
  const { body } = await market.call('uploadDelivery', { query, upload: file, headers, agent })
  return urnString('delivery', body.delivery_urn.body)
}
