import { useLocation } from 'wouter'
import { useSpaces } from '../../../../data/org.ts'
import { type Body, useChange } from '../../../../data/queries.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { SpaceSelect } from '../../spaces/SpaceSelect.tsx'

interface Props {
  org: string
  file: Body<'getAttachment'>
  onClose: () => void
}

/** Makes pages of a Markdown archive, in a space that the person chooses. */
export function NewImport({ org, file, onClose }: Props) {
  const [, navigate] = useLocation()
  const spaces = useSpaces(org)
  const start = useChange('startImport', ['listImports'])
  return (
    <FormDialog
      title={t('Import its pages')}
      submit={t('Import')}
      disabled={!spaces}
      onClose={onClose}
      onSubmit={(form) =>
        start.mutateAsync({ params: { org }, body: { attachment: file.id, space: typed(form, 'space') } })
      }
      onDone={() => navigate(pathTo('settings', { org }))}
    >
      <p>
        <Trans
          message="Each Markdown file of <strong>{filename}</strong> becomes a page, and each folder one above its files: all of them, or none. It can be undone."
          filename={file.filename}
        />
      </p>
      <SpaceSelect spaces={spaces} />
    </FormDialog>
  )
}
