import { useLocation } from 'wouter'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { CallInput } from '../../../../sdk/market.ts'
import { useChange } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { type Message, msg, t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { Field } from '../../../ui/forms/Field.tsx'
import { typed } from '../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { amountText, wireAmount } from '../../../ui/values/format.ts'
import { STEP, type StepProps } from './record/step.ts'

type Ground = Exclude<CallInput<'openDispute'>['body']['claim'], string>['grounds'][number]

const GROUNDS: readonly [Ground, Message][] = [
  ['not_as_described', msg('It is not what was described')],
  ['incomplete', msg('Parts are missing')],
  ['quality', msg('The quality is not as agreed')],
  ['wrong_format', msg('It has another format')],
  ['hash_mismatch', msg('The file is not the one that was announced')],
  ['not_delivered', msg('Nothing was delivered')],
  ['late', msg('It came late')],
  ['copied', msg('It is copied')],
  ['other', msg('Something else')],
]

/** Returns a ground of a dispute in words. */
export function groundText(ground: string): string {
  const known = GROUNDS.find(([value]) => value === ground)?.[1]
  return known ? t(known) : word(ground)
}

/** Opens a dispute: the money stays where it is until it is decided. */
export function Dispute({ order, viewer, onClose }: StepProps) {
  const [, navigate] = useLocation()
  const open = useChange('openDispute', [...STEP, 'listDisputes'])
  const isBuyer = viewer.side === 'buyer'
  const member = isBuyer ? 'requested_refund' : 'offered_refund'
  const submit = (form: FormData) => {
    const wanted = typed(form, 'claim.wanted')
    const refund = typed(form, `claim.${member}`)
    const claim = {
      grounds: form.getAll('claim.grounds') as Ground[],
      what_happened: typed(form, 'claim.what_happened'),
      ...(wanted ? { wanted } : {}),
      ...(refund ? { [member]: wireAmount(refund) } : {}),
    }
    const body = { order_urn: urnString('order', order.urn.body), opener_urn: viewer.agent, claim }
    return open.mutateAsync({ body, agent: viewer.agent })
  }
  return (
    <FormDialog
      title={t('Open a dispute')}
      submit={t('Open the dispute')}
      isDanger
      onClose={onClose}
      onSubmit={submit}
      onDone={({ urn }) => navigate(pathTo('dispute', { id: urn.body }))}
    >
      <p>{t('The money stays where it is. Facts decide first: what was ordered, and what was delivered when.')}</p>
      <fieldset>
        <legend>{t('Grounds')}</legend>
        {GROUNDS.map(([value, title]) => (
          <label key={value} className="row">
            <input type="checkbox" name="claim.grounds" value={value} /> {t(title)}
          </label>
        ))}
      </fieldset>
      <Field label={t('What happened')} name="claim.what_happened">
        {(props) => <textarea {...props} required maxLength={4_000} />}
      </Field>
      <Field
        label={isBuyer ? t('You want back, USDC') : t('You offer back to the buyer, USDC')}
        name={`claim.${member}`}
        hint={
          isBuyer
            ? t('At most the price, {amount}.', { amount: amountText(order.price) })
            : t('Empty: nothing is offered.')
        }
      >
        {(props) => <input {...props} inputMode="decimal" required={isBuyer} />}
      </Field>
      <Field label={t('What else you want')} name="claim.wanted">
        {(props) => <input {...props} maxLength={1_000} />}
      </Field>
    </FormDialog>
  )
}
