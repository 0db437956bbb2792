import type { Org } from '../../../data/org.ts'
import { useChange, useList } from '../../../data/queries.ts'
import { urnOf } from '../../../data/urn.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Form, typed } from '../../../ui/Form.tsx'
import { Hash } from '../../../ui/Hash.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { Section } from '../../../ui/Section.tsx'
import { Table } from '../../../ui/Table.tsx'
import { Time } from '../../../ui/Time.tsx'
import styles from '../comments/Comments.module.css'
import { ROLES } from './OrgMembers.tsx'

/** The invitations to an org. An invitation can be withdrawn until somebody accepts it. */
export function OrgInvitations({ org }: { org: Org }) {
  const urn = urnOf('org', org.urn.body)
  const { items, error, more } = useList('listOrgInvitations', { params: { urn } })
  const invite = useChange('inviteOrgMember', ['listOrgInvitations'])
  const withdraw = useChange('withdrawOrgInvitation', ['listOrgInvitations'])
  return (
    <Section title="Invitations">
      {items?.length === 0 ? null : (
        <Table
          caption="Invitations to the org"
          rows={items}
          error={error}
          more={more}
          keyOf={({ human_urn }) => human_urn.body}
          empty={null}
          columns={[
            { title: 'Who', cell: ({ human_urn }) => <Hash value={urnOf('human', human_urn.body)} /> },
            { title: 'As', cell: ({ role }) => role },
            { title: 'Until', cell: ({ expires_at }) => <Time at={expires_at} /> },
            {
              title: 'Change',
              cell: ({ human_urn }) => (
                <Button
                  aria-label={`Withdraw the invitation of ${human_urn.body}`}
                  onClick={() => withdraw.mutate({ params: { urn, human_urn: urnOf('human', human_urn.body) } })}
                >
                  Withdraw
                </Button>
              ),
            },
          ]}
        />
      )}
      <Problem error={withdraw.error} />
      <Form
        className={styles.form}
        submit="Invite"
        resets
        onSubmit={(form) => {
          const role = ROLES.find((name) => name === form.get('role')) ?? 'member'
          return invite.mutateAsync({ params: { urn }, body: { human_urn: typed(form, 'human_urn'), role } })
        }}
      >
        <Field label="Invite somebody" name="human_urn" hint="Their URN, which they find on their account page.">
          {(props) => <input {...props} required placeholder="market:human:…" />}
        </Field>
        <Field label="As" name="role">
          {(props) => (
            <select {...props}>
              {ROLES.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </Field>
      </Form>
    </Section>
  )
}
