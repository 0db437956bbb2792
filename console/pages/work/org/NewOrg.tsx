import { useState } from 'react'
import { useLocation } from 'wouter'
import { useChange } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { t } from '../../../texts/texts.ts'
import { Field } from '../../../ui/forms/Field.tsx'
import { typed } from '../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'

/** Creates an org, which the person owns. */
export function NewOrg({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation()
  const [slug, setSlug] = useState<string>()
  const [name, setName] = useState('')
  const create = useChange('createOrg', ['listOrgs'])
  const proposed = slug ?? slugOf(name)
  return (
    <FormDialog
      title={t('New org')}
      submit={t('Create org')}
      onClose={onClose}
      onSubmit={(form) =>
        create.mutateAsync({ body: { slug: typed(form, 'slug'), display_name: typed(form, 'display_name') } })
      }
      onDone={(org) => navigate(pathTo('org', { org: org.slug }))}
    >
      <Field label={t('Name')} name="display_name">
        {(props) => <input {...props} required value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field
        label={t('Slug')}
        name="slug"
        hint={t('Part of its addresses, and cannot be changed: lower-case letters, digits and hyphens.')}
      >
        {(props) => <input {...props} required value={proposed} onChange={(event) => setSlug(event.target.value)} />}
      </Field>
    </FormDialog>
  )
}

/** Returns the slug for a name: `Verse works` is `verse-works`. */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '')
}
