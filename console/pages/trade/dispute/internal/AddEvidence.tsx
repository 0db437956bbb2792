import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type UrnObject, urnString } from '../../../../../protocol/encoding/urn.ts'
import type { PageItem } from '../../../../../sdk/market.ts'
import { sha256Hex } from '../../../../data/files/digest.ts'
import { market } from '../../../../data/market.ts'
import type { Body } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { timeText } from '../../../../ui/values/format.ts'
import type { Viewer } from '../../order/record/order.ts'
import { excerptOf } from './excerptOf.ts'
import { handIn } from './handIn.ts'
import { STEP } from './step.ts'

interface Props {
  dispute: Body<'getDispute'>
  order: Body<'getOrder'>
  viewer: Viewer
  messages: readonly PageItem<'listMessages'>[]
  onClose: () => void
}

/** Submits messages and delivered files of the order as evidence, and a file of the person's. */
export function AddEvidence({ dispute, order, viewer, messages, onClose }: Props) {
  const client = useQueryClient()
  const { agent } = viewer
  const add = useMutation({
    mutationFn: async (form: FormData) => {
      const evidence = form.getAll('evidence').map(String)
      const chosen = form.get('file')
      const file = chosen instanceof File && chosen.name !== '' ? chosen : undefined
      if (evidence.length === 0 && !file) throw new Error(t('Choose at least one message or file.'))
      const isDelivery = file !== undefined && viewer.side === 'seller' && (await isDelivered(messages, file))
      if (isDelivery) evidence.push(await upload(order, agent, file))
      const params = { urn: urnString('dispute', dispute.urn.body) }
      if (evidence.length > 0) await market.call('submitEvidence', { params, body: { evidence }, agent })
      // Last, because a retry after a later failure would submit the file again.
      if (file && !isDelivery) await handIn(dispute, agent, file)
    },
    onSuccess: () => Promise.all(STEP.map((name) => client.invalidateQueries({ queryKey: [name] }))),
  })
  return (
    <FormDialog
      title={t('Add evidence')}
      submit={t('Add it')}
      onClose={onClose}
      onSubmit={(form) => add.mutateAsync(form)}
    >
      <p>
        {t('The judge and the other side read it. Each side can submit twenty items, five of them files of its own.')}
      </p>
      <fieldset className="stack">
        <legend>{t('From this order')}</legend>
        {messages.length === 0 ? <p className="muted">{t('No messages yet.')}</p> : null}
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
      <Field label={t('A file of yours')} name="file" hint={t('It cannot be withdrawn.')}>
        {(props) => <input {...props} type="file" />}
      </Field>
    </FormDialog>
  )
}

/** The evidence in a message: the message itself, and the file that it delivers. */
function referencesTo(message: PageItem<'listMessages'>): { urn: string; title: string }[] {
  const itself = { urn: urnString('message', message.urn.body), title: excerptOf(message) }
  const { delivery_urn } = (message.payload ?? {}) as { delivery_urn?: UrnObject }
  if (!delivery_urn) return [itself]
  return [itself, { urn: urnString('delivery', delivery_urn.body), title: t('the file that it delivers') }]
}

/**
 * Returns whether a file has the hash of a notice: what was delivered is uploaded as a delivery, and checked.
 */
async function isDelivered(messages: Props['messages'], file: File): Promise<boolean> {
  const sha256 = await sha256Hex(file)
  return messages.some(({ payload }) => payload?.output_hash === sha256)
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
