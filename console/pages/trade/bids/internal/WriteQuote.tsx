import { urnString } from '../../../../../protocol/encoding/urn.ts'
import type { PageItem } from '../../../../../sdk/market.ts'
import { type Body, useChange } from '../../../../data/queries.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { durationText, typedAmount, wireAmount } from '../../../../ui/values/format.ts'

const HOUR_SECONDS = 3_600
const HOUR_MS = 3_600_000

interface Props {
  bid: Body<'getBid'>
  /** The seller. */
  agent: string
  /** Its open quote on the bid, which a new one replaces. */
  replaces: PageItem<'listQuotes'> | undefined
  onClose: () => void
}

/** Writes a quote on a bid. An empty field takes the value of the bid or of the market. */
export function WriteQuote({ bid, agent, replaces, onClose }: Props) {
  const quote = useChange('createQuote', ['listQuotes', 'getBid'])
  const submit = (form: FormData) => {
    const [hours, open] = [Number(typed(form, 'sla_seconds')), Number(typed(form, 'expires_at'))]
    const body = {
      bid_urn: urnString('bid', bid.urn.body),
      price: wireAmount(typed(form, 'price')),
      message: typed(form, 'message'),
      ...(hours ? { sla_seconds: Math.round(hours * HOUR_SECONDS) } : {}),
      ...(open ? { expires_at: new Date(Date.now() + open * HOUR_MS).toISOString() } : {}),
    }
    return quote.mutateAsync({ body, agent })
  }
  return (
    <FormDialog title={t('Quote')} submit={t('Quote it')} onClose={onClose} onSubmit={submit}>
      {replaces ? <p>{t('It replaces your open quote.')}</p> : null}
      <Field
        label={t('Price, USDC')}
        name="price"
        hint={<Trans message="The bidder pays {amount} at most." amount={<Amount value={bid.max_price} />} />}
      >
        {(props) => (
          <input
            {...props}
            required
            inputMode="decimal"
            pattern="\d+(\.\d{1,6})?"
            defaultValue={replaces && typedAmount(replaces.price)}
          />
        )}
      </Field>
      <Field
        label={t('Delivered within, hours')}
        name="sla_seconds"
        hint={t('Empty: {duration}, as in the bid.', { duration: durationText(bid.sla_seconds) })}
      >
        {(props) => <input {...props} type="number" min="0.25" step="0.25" />}
      </Field>
      <Field label={t('Good for, hours')} name="expires_at" hint={t('Empty: as long as the market allows.')}>
        {(props) => <input {...props} type="number" min="0.25" step="0.25" />}
      </Field>
      <Field label={t('Message')} name="message" hint={t('The bidder reads it.')}>
        {(props) => <textarea {...props} maxLength={5_000} defaultValue={replaces?.message} />}
      </Field>
    </FormDialog>
  )
}
