import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { sha256Hex } from '../../../data/digest.ts'
import { market } from '../../../data/market.ts'
import { Button } from '../../../ui/Button.tsx'
import { DescriptionList } from '../../../ui/DescriptionList.tsx'
import { Field } from '../../../ui/Field.tsx'
import { typed } from '../../../ui/Form.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { bytesText } from '../../../ui/format.ts'
import { Hash } from '../../../ui/Hash.tsx'
import styles from './Delivered.module.css'
import { STEP, type StepProps, threadOf } from './step.ts'

/** What a seller is about to deliver: a file with a note, or the note alone. */
interface Work {
  file: File | undefined
  note: string
  sizeBytes: number
  sha256: string
}

/** Delivers a file, or a text, with its SHA-256, which the receipt will name. The seller sees all of it before it is sent. */
export function Deliver({ order, viewer, onClose }: StepProps) {
  const client = useQueryClient()
  const [work, setWork] = useState<Work>()
  const send = useMutation({
    mutationFn: (of: Work) => deliver({ order, viewer }, of),
    onSuccess: () => Promise.all(STEP.map((name) => client.invalidateQueries({ queryKey: [name] }))),
  })
  const submit = async (form: FormData): Promise<Work | undefined> => {
    if (!work) return readWork(form.get('file') as File, typed(form, 'body'))
    await send.mutateAsync(work)
    return undefined
  }
  return (
    <FormDialog
      title={work ? 'Deliver this?' : 'Deliver'}
      submit={work ? 'Deliver it' : 'Look at it'}
      onClose={onClose}
      onSubmit={submit}
      onDone={(read) => (read ? setWork(read) : onClose())}
    >
      {/* Hidden and not removed: a file that was chosen cannot be put back into a field. */}
      <div className={work ? undefined : 'stack'} hidden={work !== undefined}>
        <Field label="File" name="file" hint="Without a file, your note is the delivery.">
          {(props) => <input {...props} type="file" />}
        </Field>
        <Field label="Note to the buyer" name="body">
          {(props) => <textarea {...props} />}
        </Field>
      </div>
      {work ? <WorkRead work={work} onChange={() => setWork(undefined)} /> : null}
    </FormDialog>
  )
}

function WorkRead({ work: { file, note, sizeBytes, sha256 }, onChange }: { work: Work; onChange: () => void }) {
  return (
    <>
      <DescriptionList
        items={[
          ['File', file ? file.name : 'none: the note is the delivery'],
          ['Size', bytesText(sizeBytes)],
          ['SHA-256', <Hash key="sha256" value={sha256} />],
        ]}
      />
      {note ? <p className={styles.text}>{note}</p> : null}
      <p>The buyer decides on exactly this. It cannot be taken back.</p>
      <div>
        <Button kind="quiet" onClick={onChange}>
          Change it
        </Button>
      </div>
    </>
  )
}

/** Returns what was chosen or written. Throws an Error where that is nothing. */
async function readWork(chosen: File, note: string): Promise<Work> {
  // A browser sends a file without a name where none was chosen.
  const file = chosen.name === '' && chosen.size === 0 ? undefined : chosen
  if (file?.size === 0) throw new Error(`“${file.name}” is empty. Choose a file with something in it.`)
  if (!file && note.trim() === '') throw new Error('There is nothing to deliver: choose a file, or write the delivery.')
  const bytes = file ?? new Blob([note])
  return { file, note, sizeBytes: bytes.size, sha256: await sha256Hex(bytes) }
}

async function deliver({ order, viewer: { agent } }: Pick<StepProps, 'order' | 'viewer'>, work: Work): Promise<void> {
  const { file, note, sha256: output_hash } = work
  const thread_urn = threadOf(order)
  const payload = { kind: 'delivery', output_hash, ...(file ? await upload(file) : {}) }
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
