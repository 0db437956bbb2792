import { useLocation } from 'wouter'
import { type Body, useChange, useRead } from '../../../../data/queries.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'

interface Props {
  org: string
  page: Body<'getPage'>
  onClose: () => void
}

/** Puts a page in the trash, with what is below it. */
export function TrashPage({ org, page, onClose }: Props) {
  const [, navigate] = useLocation()
  const { data: usage } = useRead('getStorageUsage', { params: { org } })
  const trash = useChange('trashPage', ['getPage', 'listPages'])
  return (
    <FormDialog
      title={t('Move the page to the trash')}
      submit={t('Move to the trash')}
      isDanger
      onClose={onClose}
      onSubmit={() => trash.mutateAsync({ params: { org, ref: page.id } })}
      onDone={() => navigate(pathTo('pages', { org }))}
    >
      <p>
        {usage ? (
          <Trans
            message="<strong>{title}</strong> goes to the trash with the pages below it and their files. It can be restored for {days, plural, one {# day} other {# days}}; then it is removed for good."
            title={page.title}
            days={usage.trash_days}
          />
        ) : (
          <Trans
            message="<strong>{title}</strong> goes to the trash with the pages below it and their files. It can be restored; then it is removed for good."
            title={page.title}
          />
        )}
      </p>
    </FormDialog>
  )
}
