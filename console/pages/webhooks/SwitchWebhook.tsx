import { useState } from 'react'
import { useChange } from '../../data/queries.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/forms/Button.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'

/** Disables somebody's webhook, or enables a disabled one. Only operators can. */
export function SwitchWebhook({ urn, url, isDisabled }: { urn: string; url: string; isDisabled: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const enable = useChange('enableWebhook', ['listAllWebhooks'])
  const disable = useChange('disableWebhook', ['listAllWebhooks'])
  const change = isDisabled ? enable : disable
  const close = () => setOpen(false)
  return (
    <>
      <Button kind="quiet" onClick={() => setOpen(true)}>
        {isDisabled ? t('Enable…') : t('Disable…')}
      </Button>
      {isOpen ? (
        <FormDialog
          title={isDisabled ? t('Enable the webhook') : t('Disable the webhook')}
          submit={isDisabled ? t('Enable it') : t('Disable it')}
          isDanger={!isDisabled}
          onSubmit={() => change.mutateAsync({ params: { urn } })}
          onClose={close}
        >
          <p>{url}</p>
          <p>
            {isDisabled
              ? t('It receives events again, and those that were kept in the meantime.')
              : t('Nothing is sent to it until an operator enables it. Events are kept in the meantime.')}
          </p>
        </FormDialog>
      ) : null}
    </>
  )
}
