import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { market } from '../../../../data/market.ts'
import { addPasskey, withFreshPasskey } from '../../../../data/passkeys.ts'
import { type Body, useChange, useList } from '../../../../data/queries.ts'
import { urnText } from '../../../../data/urn.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { Time } from '../../../../ui/values/Time.tsx'

type Passkey = Body<'listPasskeys'>['passkeys'][number]

/** The passkeys that the person signs in with. */
export function Passkeys() {
  const client = useQueryClient()
  const { items, error, more } = useList('listPasskeys', {})
  const [naming, setNaming] = useState<Passkey | 'new'>()
  const [removing, setRemoving] = useState<Passkey>()
  return (
    <Section title={t('Passkeys')} actions={<Button onClick={() => setNaming('new')}>{t('Add a passkey')}</Button>}>
      <p className="muted">
        {t('You can sign in with each of these. Keep two on different devices, in case you lose one.')}
      </p>
      <Table
        caption={t('Your passkeys')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ urn }) => urn.body}
        empty={<p>{t('You have no passkey.')}</p>}
        columns={[
          { title: t('Name'), cell: ({ name }) => <strong>{name}</strong> },
          { title: t('Kept'), cell: ({ is_backed_up }) => (is_backed_up ? t('on your devices') : t('on one device')) },
          {
            title: t('Last used'),
            isLabelled: true,
            cell: ({ last_used_at: at }) => (at ? <Time at={at} /> : t('not yet')),
          },
          {
            title: t('State'),
            cell: ({ flagged_at }) => (flagged_at ? t('blocked: it may have been copied') : t('good')),
          },
          {
            title: t('Change'),
            cell: (passkey) => (
              <div className="row">
                <Button
                  kind="quiet"
                  aria-label={t('Rename {name}', { name: passkey.name })}
                  onClick={() => setNaming(passkey)}
                >
                  {t('Rename')}
                </Button>
                <Button
                  kind="quiet"
                  aria-label={t('Remove {name}', { name: passkey.name })}
                  onClick={() => setRemoving(passkey)}
                >
                  {t('Remove')}
                </Button>
              </div>
            ),
          },
        ]}
      />
      {naming ? (
        <NamePasskey
          passkey={naming === 'new' ? undefined : naming}
          onClose={() => setNaming(undefined)}
          onDone={() => {
            setNaming(undefined)
            void client.invalidateQueries({ queryKey: ['listPasskeys'] })
          }}
        />
      ) : null}
      {removing ? <RemovePasskey passkey={removing} onClose={() => setRemoving(undefined)} /> : null}
    </Section>
  )
}

function RemovePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const remove = useChange('removePasskey', ['listPasskeys', 'listSessions'])
  return (
    <FormDialog
      title={t('Remove {name}', { name: passkey.name })}
      submit={t('Remove this passkey')}
      isDanger
      onSubmit={() => remove.mutateAsync({ params: { urn: urnText(passkey.urn) } })}
      onClose={onClose}
    >
      <p>
        {t(
          'Nobody can sign in with it any more, and the sessions that began with it end. Delete it on your device too.',
        )}
      </p>
    </FormDialog>
  )
}

interface NamePasskeyProps {
  /** Undefined to make a new one. */
  passkey: Passkey | undefined
  onClose: () => void
  onDone: () => void
}

/** Renames a passkey, or names a new one that the browser then makes. */
function NamePasskey({ passkey, onClose, onDone }: NamePasskeyProps) {
  const save = useMutation({
    mutationFn: (name: string) =>
      withFreshPasskey(async () => {
        if (!passkey) return addPasskey(name)
        await market.call('renamePasskey', { params: { urn: urnText(passkey.urn) }, body: { name } })
      }),
  })
  return (
    <FormDialog
      title={passkey ? t('Rename {name}', { name: passkey.name }) : t('Add a passkey')}
      submit={passkey ? t('Rename') : t('Make the passkey')}
      onClose={onClose}
      onSubmit={(form) => save.mutateAsync(typed(form, 'name'))}
      onDone={onDone}
    >
      <Field label={t('Name')} name="name" hint={t('The device or key that it is on.')}>
        {(props) => <input {...props} required maxLength={100} defaultValue={passkey?.name} />}
      </Field>
    </FormDialog>
  )
}
