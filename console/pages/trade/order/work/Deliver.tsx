import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { type CheckedWork, sendNotice, uploadWork } from '../../../../../sdk/deliver.ts'
import { market } from '../../../../data/market.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { DescriptionList } from '../../../../ui/layout/DescriptionList.tsx'
import { bytesText } from '../../../../ui/values/format.ts'
import { Hash } from '../../../../ui/values/Hash.tsx'
import { STEP, type StepProps } from '../record/step.ts'
import styles from './Delivered.module.css'
import { Checks } from './internal/Checks.tsx'

/**
 * What a seller is about to deliver: a file with a note, or the note alone. The service has it, and its buyer
 * does not know.
 */
interface Work {
  file: File | undefined
  note: string
  sizeBytes: number
  checked: CheckedWork
}

/**
 * Delivers a file, or a text, with its SHA-256, which the receipt will name. It is uploaded and checked
 * first. The seller sees all of it, and what fails, before the buyer is told.
 */
export function Deliver({ order, viewer: { agent }, onClose }: StepProps) {
  const client = useQueryClient()
  const [work, setWork] = useState<Work>()
  const send = useMutation({
    mutationFn: ({ checked, note }: Work) => sendNotice(market, checked, { note, agent }),
    onSuccess: () => Promise.all(STEP.map((name) => client.invalidateQueries({ queryKey: [name] }))),
  })
  const submit = async (form: FormData): Promise<Work | undefined> => {
    if (!work) return check(order.urn.body, agent, { chosen: form.get('file') as File, note: typed(form, 'body') })
    await send.mutateAsync(work)
    return undefined
  }
  const fails = Boolean(work?.checked.failing.length)
  return (
    <FormDialog
      title={work ? t('Deliver this?') : t('Deliver')}
      submit={work ? (fails ? t('Deliver it anyway') : t('Deliver it')) : t('Review it')}
      onClose={onClose}
      onSubmit={submit}
      onDone={(read) => (read ? setWork(read) : onClose())}
    >
      {/* Hidden and not removed: a file that was chosen cannot be put back into a field. */}
      <div className={work ? undefined : 'stack'} hidden={work !== undefined}>
        <p className="muted">{t('It is uploaded and checked first. The buyer is told when you deliver it.')}</p>
        <Field label={t('File')} name="file" hint={t('Without a file, your note is the delivery.')}>
          {(props) => <input {...props} type="file" />}
        </Field>
        <Field label={t('Note to the buyer')} name="body">
          {(props) => <textarea {...props} />}
        </Field>
      </div>
      {work ? <WorkRead work={work} criteria={order.criteria} onChange={() => setWork(undefined)} /> : null}
    </FormDialog>
  )
}

interface WorkReadProps {
  work: Work
  criteria: StepProps['order']['criteria']
  onChange: () => void
}

function WorkRead({ work: { file, note, sizeBytes, checked }, criteria, onChange }: WorkReadProps) {
  return (
    <>
      <DescriptionList
        items={[
          [t('File'), file ? file.name : t('none: the note is the delivery')],
          [t('Size'), bytesText(sizeBytes)],
          ['SHA-256', <Hash key="sha256" value={checked.outputHash} />],
        ]}
      />
      {note ? <p className={styles.text}>{note}</p> : null}
      <Checks results={checked.checks} criteria={criteria} />
      {checked.isPending ? <p>{t('The checks of the criteria are not made yet.')}</p> : null}
      {checked.failing.length > 0 ? (
        <p role="alert" className={styles.fails}>
          {t('It does not meet what was agreed. The buyer sees the same, and in a dispute it counts.')}
        </p>
      ) : null}
      <p>{t('The buyer decides on exactly this. It cannot be taken back.')}</p>
      <div>
        <Button kind="quiet" onClick={onChange}>
          {t('Change it')}
        </Button>
      </div>
    </>
  )
}

/** Uploads what was chosen or written, and has it checked. Throws an Error where that is nothing. */
async function check(
  order: string,
  agent: string | undefined,
  { chosen, note }: { chosen: File; note: string },
): Promise<Work> {
  // A browser sends a file without a name where none was chosen.
  const file = chosen.name === '' && chosen.size === 0 ? undefined : chosen
  if (file?.size === 0)
    throw new Error(t('“{name}” is empty. Choose a file with something in it.', { name: file.name }))
  if (!file && note.trim() === '')
    throw new Error(t('There is nothing to deliver: choose a file, or write the delivery.'))
  const checked = await uploadWork(market, urnString('order', order), file ?? note, { filename: file?.name, agent })
  return { file, note, sizeBytes: file?.size ?? new Blob([note]).size, checked }
}
