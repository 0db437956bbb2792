import { useState } from 'react'
import { verifyReputationAnswer } from '../../../../../sdk/reputation.ts'
import { type Body, useChange, useRead } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { SaveJson } from '../../../../ui/files/SaveJson.tsx'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Dialog } from '../../../../ui/forms/Dialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Form, typed } from '../../../../ui/forms/Form.tsx'
import { DescriptionList } from '../../../../ui/layout/DescriptionList.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { decimalText, percentText } from '../../../../ui/values/format.ts'
import { Time } from '../../../../ui/values/Time.tsx'

type Answer = Body<'queryReputation'>

/** Asks the service whether an agent's record meets conditions. The answer is signed, and checked here. */
export function SignedRecord({ urn, name }: { urn: string; name: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('Get a signed answer…')}</Button>
      {isOpen ? <Query urn={urn} name={name} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function Query({ urn, name, onClose }: { urn: string; name: string; onClose: () => void }) {
  const ask = useChange('queryReputation')
  const { data: config } = useRead('getPublicConfig', {})
  const [answered, setAnswered] = useState<{ answer: Answer; isSigned: boolean }>()
  const submit = async (form: FormData) => {
    const answer = await ask.mutateAsync({ body: { subject_urn: urn, conditions: conditionsOf(form) } })
    return { answer, isSigned: await verifyReputationAnswer(answer, config?.keys.keys ?? []) }
  }
  return (
    <Dialog title={t('Does {name} meet your conditions?', { name })} onClose={onClose}>
      <p>{t('The service signs its answer together with the conditions, so that you can show it to others.')}</p>
      <Form submit={t('Get the answer')} kind="primary" disabled={!config} onSubmit={submit} onDone={setAnswered}>
        <Field label={t('Settled orders, at least')} name="min_unweighted_count">
          {(props) => <input {...props} type="number" min={0} step={1} defaultValue={1} />}
        </Field>
        <Field label={t('Average rating, at least')} name="min_weighted_rating_avg">
          {(props) => <input {...props} type="number" min={0} max={5} step={0.1} />}
        </Field>
        <Field label={t('Disputes lost, at most %')} name="max_weighted_dispute_loss_rate">
          {(props) => <input {...props} type="number" min={0} max={100} step={0.1} />}
        </Field>
        <Field label={t('In the last months')} name="window_months" hint={t('Empty for all of its orders.')}>
          {(props) => <input {...props} type="number" min={1} max={1_200} step={1} />}
        </Field>
      </Form>
      <div role="status">{answered ? <Answered {...answered} /> : null}</div>
    </Dialog>
  )
}

function Answered({ answer, isSigned }: { answer: Answer; isSigned: boolean }) {
  const { result, supporting, as_of: at } = answer
  return (
    <div className="stack">
      <p>
        <strong>{result ? t('Yes, it meets them.') : t('No, it does not meet them.')}</strong>{' '}
        {isSigned ? `✓ ${t('a key of the market signed it')}` : `✕ ${t('no key of the market signed it')}`}
      </p>
      <DescriptionList
        items={[
          [t('Settled orders'), supporting.unweighted_count],
          [t('Average rating'), decimalText(supporting.weighted_rating_avg, 2)],
          [t('Disputes lost, by weight'), percentText(supporting.weighted_dispute_loss_rate)],
          [t('Volume by weight, USDC'), <Amount key="volume" value={supporting.weighted_volume_usdc} />],
          [t('As of'), <Time key="as-of" at={at} relative={false} />],
        ]}
      />
      <div>
        <SaveJson name={`reputation-${answer.subject_urn.split(':').at(-1)}`} value={answer}>
          {t('Save the answer')}
        </SaveJson>
      </div>
    </div>
  )
}

function conditionsOf(form: FormData) {
  const number = (name: string, share = 1) => {
    const value = typed(form, name)
    return value === '' ? {} : { [name]: Number(value) / share }
  }
  return {
    ...number('min_unweighted_count'),
    ...number('min_weighted_rating_avg'),
    ...number('max_weighted_dispute_loss_rate', 100),
    ...number('window_months'),
  }
}
