import { useState } from 'react'
import { type Body, useChange, useRead } from '../../../../data/queries.ts'
import { msg, t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Form, typed } from '../../../../ui/forms/Form.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { HiddenRoles, hiddenRolesOf } from './HiddenRoles.tsx'
import styles from './NotificationPrefs.module.css'
import { PREF_KINDS } from './prefKinds.ts'

/** The value of the checkbox that lets a kind through in quiet hours. */
const IN_QUIET_HOURS = 'in_quiet_hours'
const CHANNELS = ['in_app', 'push', 'email'] as const
const LABELS = { in_app: msg('Here'), push: msg('Push'), email: msg('Mail') }

/** The person's notification settings, for all their orgs. */
export function NotificationPrefs() {
  const { data, error } = useRead('getNotificationPrefs', {})
  const config = useRead('getPublicConfig', {})
  return (
    <Section title={t('Notification settings, for all your orgs')}>
      <Problem error={error} />
      {config.data?.notifications.channels.includes('email') ? <MailAddress /> : null}
      {data && config.data ? <PrefsForm prefs={data} channels={config.data.notifications.channels} /> : null}
    </Section>
  )
}

function PrefsForm({ prefs, channels }: { prefs: Body<'getNotificationPrefs'>; channels: readonly string[] }) {
  const replace = useChange('replaceNotificationPrefs', ['getNotificationPrefs'])
  const [isQuiet, setQuiet] = useState(prefs.quiet_hours !== null)
  const offered = CHANNELS.filter((channel) => channels.includes(channel))
  const chosenOf = (kind: string): string[] => {
    const chosen = prefs.kinds.find((one) => one.kind === kind)
    return [...(chosen?.channels ?? ['in_app', 'push']), ...(chosen?.in_quiet_hours ? [IN_QUIET_HOURS] : [])]
  }
  const columns = [
    ...offered.map((channel) => [channel, t(LABELS[channel])] as const),
    ...(isQuiet ? [[IN_QUIET_HOURS, t('In quiet hours')] as const] : []),
  ]
  const zone = prefs.quiet_hours?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <Form
      submit={t('Save')}
      beside={replace.isSuccess ? <span role="status">{t('Saved.')}</span> : null}
      onSubmit={(form) => {
        const kinds = Object.keys(PREF_KINDS).map((kind) => ({
          kind,
          channels: offered.filter((channel) => form.getAll(kind).includes(channel)),
          in_quiet_hours: form.getAll(kind).includes(IN_QUIET_HOURS),
        }))
        const quiet = (member: string) => typed(form, `quiet_hours.${member}`)
        const quiet_hours = isQuiet
          ? { from: quiet('from'), until: quiet('until'), time_zone: quiet('time_zone') }
          : null
        const hidden_roles = hiddenRolesOf(form, prefs.hidden_roles)
        return replace.mutateAsync({ body: { kinds, quiet_hours, hidden_roles } })
      }}
    >
      <Table
        caption={t('Channels of each kind of notification')}
        rows={Object.entries(PREF_KINDS).map(([kind, message]) => [kind, t(message)] as const)}
        keyOf={([kind]) => kind}
        empty={null}
        columns={[
          { title: t('What'), cell: ([, title]) => title },
          ...columns.map(([channel, label]) => ({
            title: label,
            cell: ([kind, title]: readonly [string, string]) => (
              <label className="row">
                <input
                  type="checkbox"
                  name={kind}
                  value={channel}
                  aria-label={`${title}: ${label}`}
                  defaultChecked={chosenOf(kind).includes(channel)}
                />
                <span className={styles.onPhone}>{label}</span>
              </label>
            ),
          })),
        ]}
      />
      <label className="row">
        <input type="checkbox" checked={isQuiet} onChange={(event) => setQuiet(event.target.checked)} />
        {t('Mute during quiet hours, deliver afterwards')}
      </label>
      {isQuiet ? (
        <div className="row">
          <Field label={t('From')} name="quiet_hours.from">
            {(props) => <input {...props} type="time" required defaultValue={prefs.quiet_hours?.from ?? '22:00'} />}
          </Field>
          <Field label={t('Until')} name="quiet_hours.until">
            {(props) => <input {...props} type="time" required defaultValue={prefs.quiet_hours?.until ?? '07:00'} />}
          </Field>
          <Field label={t('Time zone')} name="quiet_hours.time_zone">
            {(props) => <input {...props} required defaultValue={zone} />}
          </Field>
        </div>
      ) : null}
      <HiddenRoles hidden={prefs.hidden_roles} />
    </Form>
  )
}

/** The address that notifications are mailed to, and its confirmation. */
function MailAddress() {
  const { data, error } = useRead('getEmail', {})
  const ask = useChange('askEmailConfirmation', [])
  if (!data) return <Problem error={error} />
  if (data.is_confirmed) return <p>{t('Mails go to {email}.', { email: data.email })}</p>
  return (
    <div className="stack">
      <p>
        {t('Mails go to {email} once you have confirmed this address by the link in a mail.', { email: data.email })}
      </p>
      <Problem error={ask.error} />
      <div className="row">
        <Button busy={ask.isPending} onClick={() => ask.mutate({})}>
          {t('Send me the link')}
        </Button>
        {ask.isSuccess ? <span role="status">{t('The mail is on its way. Its link works for a day.')}</span> : null}
      </div>
    </div>
  )
}
