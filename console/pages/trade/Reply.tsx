import { type FormEvent, useState } from 'react'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { useChange } from '../../data/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Problem } from '../../ui/Problem.tsx'

/** Lets the seller answer a rating, once. */
export function Reply({ ratingId, agent }: { ratingId: string; agent: string }) {
  const [isOpen, setOpen] = useState(false)
  const change = useChange('replyToRating', ['listRatings'])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reply = String(new FormData(event.currentTarget).get('reply'))
    const params = { urn: urnString('rating', ratingId) }
    change.mutate({ params, body: { reply }, agent }, { onSuccess: () => setOpen(false) })
  }
  return (
    <>
      <Button kind="quiet" onClick={() => setOpen(true)}>
        Reply…
      </Button>
      {isOpen ? (
        <Dialog title="Reply to the rating" onClose={() => setOpen(false)}>
          <form className="stack" onSubmit={submit}>
            <Field label="Reply" name="reply" error={change.error} hint="Once; everybody can read it.">
              {(props) => <textarea {...props} required maxLength={1_000} />}
            </Field>
            <Problem error={change.error} />
            <div>
              <Button type="submit" kind="primary" busy={change.isPending}>
                Reply
              </Button>
            </div>
          </form>
        </Dialog>
      ) : null}
    </>
  )
}
