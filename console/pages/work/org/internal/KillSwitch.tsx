import { useState } from 'react'
import { useChange, useRead } from '../../../../data/queries.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Time } from '../../../../ui/values/Time.tsx'

/** Shuts every agent out of the org at once, or lets all in again. */
export function KillSwitch({ org, isManager }: { org: string; isManager: boolean }) {
  const { data, error } = useRead('getKillSwitch', { params: { org } })
  const set = useChange('setKillSwitch', ['getKillSwitch'])
  const [asks, setAsks] = useState(false)
  if (!data) return <Problem error={error} />
  const engaged = !data.engaged
  const close = () => setAsks(false)
  return (
    <div className="row spread">
      <Engaged since={data.engaged ? data.engaged_at : undefined} />
      {isManager ? (
        <Button {...(data.engaged ? {} : { kind: 'danger' as const })} onClick={() => setAsks(true)}>
          {data.engaged ? t('Let agents in again') : t('Shut every agent out')}
        </Button>
      ) : null}
      {asks ? (
        <FormDialog
          title={data.engaged ? t('Let agents in again') : t('Shut every agent out')}
          submit={data.engaged ? t('Let them in') : t('Shut them out')}
          isDanger={engaged}
          onClose={close}
          onSubmit={() => set.mutateAsync({ params: { org }, body: { engaged } })}
        >
          <p>
            {data.engaged
              ? t('Agents work here again, except those that are paused or revoked.')
              : t(
                  'No agent can read or write here any more, and their streams end within a second. Their tokens still work on the market.',
                )}
          </p>
        </FormDialog>
      ) : null}
    </div>
  )
}

function Engaged({ since }: { since: string | null | undefined }) {
  if (since === undefined) return <p role="status">{t('The kill switch is off: agents work here.')}</p>
  return (
    <p role="status">
      <Trans
        message="<strong>Every agent is shut out</strong>, since {time}."
        time={since ? <Time at={since} /> : t('now')}
      />
    </p>
  )
}
