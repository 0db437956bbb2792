import { usePeople } from '../../../data/org.ts'
import { useChange, useList } from '../../../data/queries.ts'
import { urnOf } from '../../../data/urn.ts'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Form, typed } from '../../../ui/forms/Form.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { Time } from '../../../ui/values/Time.tsx'

/** The members of a private space. */
export function SpaceMembers({ org, space }: { org: string; space: string }) {
  const { items, error, more } = useList('listSpaceMembers', { params: { org, ref: space } })
  const { people } = usePeople(org)
  const add = useChange('addSpaceMember', ['listSpaceMembers'])
  const remove = useChange('removeSpaceMember', ['listSpaceMembers'])
  const inIt = new Set(items?.map(({ human_urn }) => human_urn.body))
  const others = people.filter(({ id, urn }) => urn.startsWith('market:human:') && !inIt.has(id))
  return (
    <Section title={t('Members')}>
      <Table
        caption={t('Members of the space')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ human_urn }) => human_urn.body}
        empty={<p>{t('No members yet: only owners and admins of the org can see this space.')}</p>}
        columns={[
          { title: t('Name'), cell: ({ display_name }) => display_name },
          { title: t('Since'), cell: ({ added_at }) => <Time at={added_at} /> },
          {
            title: t('Change'),
            cell: ({ human_urn, display_name }) => (
              <Button
                aria-label={t('Remove {name}', { name: display_name })}
                onClick={() =>
                  remove.mutate({ params: { org, ref: space, human_urn: urnOf('human', human_urn.body) } })
                }
              >
                {t('Remove')}
              </Button>
            ),
          },
        ]}
      />
      <Problem error={remove.error} />
      {others.length > 0 ? (
        <Form
          submit={t('Add')}
          onSubmit={(form) => add.mutateAsync({ params: { org, ref: space, human_urn: typed(form, 'human_urn') } })}
        >
          <Field label={t('Add a member')} name="human_urn">
            {(props) => (
              <select {...props}>
                {others.map(({ urn, name }) => (
                  <option key={urn} value={urn}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </Form>
      ) : null}
    </Section>
  )
}
