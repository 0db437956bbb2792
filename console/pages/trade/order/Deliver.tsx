import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { sha256Hex } from '../../../data/digest.ts'
import { market } from '../../../data/market.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { STEP, type StepProps, threadOf } from './step.ts'

/** Delivers a file, or a text, with its SHA-256, which the receipt will name. */
export function Deliver({ order, viewer, onClose }: StepProps) {
  const client = useQueryClient()
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    try {
      await deliver({ order, viewer }, form.get('file') as File, String(form.get('note')))
      await Promise.all(STEP.map((name) => client.invalidateQueries({ queryKey: [name] })))
      onClose()
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return (
    <Dialog title="Deliver" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="File" name="file" error={error} hint="Without a file, what you write is the delivery.">
          {(props) => <input {...props} type="file" />}
        </Field>
        <Field label="Note to the buyer" name="note" error={error}>
          {(props) => <textarea {...props} />}
        </Field>
        <Problem error={error} />
        <div className="row">
          <Button type="submit" kind="primary" busy={busy}>
            Deliver
          </Button>
        </div>
      </form>
    </Dialog>
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
