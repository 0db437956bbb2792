import { useState } from 'react'
import { useAll } from '../../../../data/all.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Dialog } from '../../../../ui/forms/Dialog.tsx'
import { inTreeOrder } from '../tree/tree.ts'
import { Paper } from './internal/Paper.tsx'

interface Props {
  org: string
  /** The space, or the page whose pages below it go along. */
  what: { space: string } | { page: string }
  onClose: () => void
}

/**
 * Takes pages along: as an archive of Markdown and files, or printed, which every browser can save as a PDF.
 */
export function ExportPages({ org, what, onClose }: Props) {
  const { data: pages } = useAll('listPages', { params: { org } })
  const [isPrinting, setPrinting] = useState(false)
  const [kind, id] = 'space' in what ? ['spaces', what.space] : ['pages', what.page]
  const printed = inTreeOrder(pages ?? [], what)
  return (
    <Dialog title={t('Export')} onClose={onClose}>
      <p>
        {'page' in what && printed.length > 1
          ? t('{count, plural, one {One page} other {# pages}}, those below it included.', { count: printed.length })
          : t('{count, plural, one {One page} other {# pages}}.', { count: printed.length })}{' '}
        {t('The archive has each page as Markdown, and the files.')}
      </p>
      <div className="row">
        <a className="button" href={`/orgs/${encodeURIComponent(org)}/${kind}/${id}/archive`} download>
          {t('Markdown archive')}
        </a>
        <Button disabled={printed.length === 0} busy={isPrinting} onClick={() => setPrinting(true)}>
          {t('Print, or save as PDF')}
        </Button>
      </div>
      {isPrinting ? <Paper org={org} pages={printed} onDone={() => setPrinting(false)} /> : null}
    </Dialog>
  )
}
