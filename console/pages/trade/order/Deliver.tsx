import { useMutation, useQueryClient } from '@tanstack/react-query'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { sha256Hex } from '../../../data/digest.ts'
import { market } from '../../../data/market.ts'
import { Field } from '../../../ui/Field.tsx'
import { typed } from '../../../ui/Form.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { STEP, type StepProps, threadOf } from './step.ts'

/** Delivers a file, or a text, with its SHA-256, which the receipt will name. */
export function Deliver({ order, viewer, onClose }: StepProps) {
  const client = useQueryClient()
  const send = useMutation({
    mutationFn: (form: FormData) => deliver({ order, viewer }, form.get('file') as File, typed(form, 'body')),
    onSuccess: () => Promise.all(STEP.map((name) => client.invalidateQueries({ queryKey: [name] }))),
  })
  return (
    <FormDialog title="Deliver" submit="Deliver" onClose={onClose} onSubmit={(form) => send.mutateAsync(form)}>
      <Field label="File" name="file" hint="Without a file, your note is the delivery.">
        {(props) => <input {...props} type="file" />}
      </Field>
      <Field label="Note to the buyer" name="body">
        {(props) => <textarea {...props} />}
      </Field>
    </FormDialog>
  )
}

async function deliver(
  { order, viewer }: Pick<StepProps, 'order' | 'viewer'>,
  file: File,
  note: string,
): Promise<void> {
  const { agent } = viewer
  const output_hash = await sha256Hex(file.size > 0 ? file : new Blob([note]))
  const thread_urn = threadOf(order)
  const payload = { kind: 'delivery', output_hash, ...(file.size > 0 ? await upload(file) : {}) }
  await market.call('postMessage', {
    body: { thread_urn, kind: 'delivery_notice', payload, body: note || null },
    agent,
  })

  // The notice names the upload: without that, the buyer is not given the bytes.
  async function upload(bytes: File): Promise<{ delivery_urn: string }> {
    const query = { order_urn: urnString('order', order.urn.body), output_hash, filename: bytes.name }
    const { body } = await market.call('uploadDelivery', { query, upload: bytes, headers: OCTETS, agent })
    return { delivery_urn: urnString('delivery', body.delivery_urn.body) }
  }
}

const OCTETS = { 'content-type': 'application/octet-stream' }
