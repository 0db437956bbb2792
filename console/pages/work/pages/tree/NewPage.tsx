import { useLocation } from 'wouter'
import { useSpaces } from '../../../../data/org.ts'
import { useChange } from '../../../../data/queries.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { SpaceSelect } from '../../spaces/SpaceSelect.tsx'

interface Props {
  org: string
  /** The space of the page. Without it, the person chooses. */
  space?: string
  parent?: string
  onClose: () => void
}

/** Creates a page, and opens it. */
export function NewPage({ org, space, parent, onClose }: Props) {
  const [, navigate] = useLocation()
  const spaces = useSpaces(org)
  const create = useChange('createPage', ['listPages'])
  return (
    <FormDialog
      title={parent ? t('New page below') : t('New page')}
      submit={t('Create page')}
      disabled={!spaces}
      onClose={onClose}
      onSubmit={(form) =>
        create.mutateAsync({
          params: { org },
          body: {
            space: space ?? typed(form, 'space'),
            title: typed(form, 'title'),
            ...(parent ? { parent } : {}),
          },
        })
      }
      onDone={({ short_id }) => navigate(pathTo('page', { org, ref: short_id }))}
    >
      <Field label={t('Title')} name="title">
        {(props) => <input {...props} required />}
      </Field>
      {space ? null : <SpaceSelect spaces={spaces} />}
    </FormDialog>
  )
}
