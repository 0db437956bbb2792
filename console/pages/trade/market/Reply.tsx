import { useState } from 'react'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { useChange } from '../../../data/queries.ts'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { typed } from '../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'

/** Lets the seller answer a rating, once. */
export function Reply({ ratingId, agent }: { ratingId: string; agent: string }) {
  const [isOpen, setOpen] = useState(false)
  const reply = useChange('replyToRating', ['listRatings'])
  const params = { urn: urnString('rating', ratingId) }
  return (
    <>
      <Button kind="quiet" onClick={() => setOpen(true)}>
        {t('Reply…')}
      </Button>
      {isOpen ? (
        <FormDialog
          title={t('Reply to the rating')}
          submit={t('Reply')}
          onClose={() => setOpen(false)}
          onSubmit={(form) => reply.mutateAsync({ params, body: { reply: typed(form, 'reply') }, agent })}
        >
          <Field label={t('Reply')} name="reply" hint={t('Once; everybody can read it.')}>
            {(props) => <textarea {...props} required maxLength={1_000} />}
          </Field>
        </FormDialog>
      ) : null}
    </>
  )
}
