import { useState } from 'react'
import type { Org } from '../../../../data/org.ts'
import { useChange, useList } from '../../../../data/queries.ts'
import { urnOf } from '../../../../data/urn.ts'
import { t } from '../../../../texts/texts.ts'
import { word } from '../../../../texts/words.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Form, typed } from '../../../../ui/forms/Form.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Secret } from '../../../../ui/forms/Secret.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { Hash } from '../../../../ui/values/Hash.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import styles from '../../comments/Comments.module.css'
import { ROLES } from './OrgMembers.tsx'

const URN = /^market:human:/

/** The invitations to an org. An invitation can be withdrawn until somebody accepts it. */
export function OrgInvitations({ org }: { org: Org }) {
  const urn = urnOf('org', org.urn.body)
  const { items = [], error, more } = useList('listOrgInvitations', { params: { urn } })
  const byEmail = useList('listEmailInvitations', { params: { urn } })
  const withdraw = useChange('withdrawOrgInvitation', ['listOrgInvitations'])
  const withdrawEmail = useChange('withdrawEmailInvitation', ['listEmailInvitations'])
  const open = [
    ...(byEmail.items ?? []).map(({ id, email, role, expires_at, is_sending }) => ({
      ...{ id, role, expires_at },
      name: email,
      about: is_sending ? t('being sent') : undefined,
      withdraw: () => withdrawEmail.mutate({ params: { urn, id } }),
    })),
    ...items.map(({ human_urn, role, expires_at }) => ({
      ...{ id: human_urn.body, role, expires_at, about: undefined },
      name: urnOf('human', human_urn.body),
      withdraw: () => withdraw.mutate({ params: { urn, human_urn: urnOf('human', human_urn.body) } }),
    })),
  ]
  return (
    <Section title={t('Invitations')}>
      {open.length === 0 ? null : (
        <Table
          caption={t('Invitations to the org')}
          rows={open}
          error={error ?? byEmail.error}
          more={byEmail.more ?? more}
          keyOf={({ id }) => id}
          empty={null}
          columns={[
            {
              title: t('Who'),
              cell: ({ name, about }) =>
                URN.test(name) ? (
                  <Hash value={name} />
                ) : (
                  <>
                    {name} {about ? <span className="small muted">{about}</span> : null}
                  </>
                ),
            },
            { title: t('As'), isLabelled: true, cell: ({ role }) => word(role) },
            { title: t('Until'), isLabelled: true, cell: ({ expires_at }) => <Time at={expires_at} /> },
            {
              title: t('Change'),
              cell: ({ name, withdraw: end }) => (
                <Button aria-label={t('Withdraw the invitation of {name}', { name })} onClick={end}>
                  {t('Withdraw')}
                </Button>
              ),
            },
          ]}
        />
      )}
      <Problem error={withdraw.error ?? withdrawEmail.error} />
      <Invite urn={urn} isOwner={org.role === 'owner'} />
    </Section>
  )
}

function Invite({ urn, isOwner }: { urn: string; isOwner: boolean }) {
  const invite = useChange('inviteOrgMember', ['listOrgInvitations'])
  const inviteByEmail = useChange('inviteByEmail', ['listEmailInvitations'])
  const [link, setLink] = useState<string>()
  const [told, setTold] = useState('')
  return (
    <>
      <Form
        className={styles.form}
        submit={t('Invite')}
        resets
        beside={told ? <span role="status">{told}</span> : null}
        onSubmit={async (form) => {
          setLink(undefined)
          setTold('')
          const role = ROLES.find((name) => name === form.get('role')) ?? 'member'
          const whom = typed(form, 'email')
          const params = { urn }
          if (URN.test(whom)) {
            await invite.mutateAsync({ params, body: { human_urn: whom, role } })
            return setTold(t('Invited. They see it under Orgs.'))
          }
          const made = await inviteByEmail.mutateAsync({ params, body: { email: whom, role } })
          setLink(made.link)
          if (made.link === undefined) setTold(t('The invitation is on its way to {whom}.', { whom }))
        }}
      >
        <Field
          label={t('Invite somebody')}
          name="email"
          hint={t('An e-mail address, or the URN of their account. An address gets one mail, with a link to join.')}
        >
          {(props) => <input {...props} required maxLength={254} autoComplete="off" placeholder="ada@example.org" />}
        </Field>
        <Field label={t('As')} name="role">
          {(props) => (
            <select {...props}>
              {(isOwner ? ROLES : ROLES.slice(0, 1)).map((name) => (
                <option key={name} value={name}>
                  {word(name)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </Form>
      {link ? (
        <Secret
          value={link}
          about={t('This market sends no mail: give this link to whom you invite. Whoever opens it can join, once.')}
        />
      ) : null}
    </>
  )
}
