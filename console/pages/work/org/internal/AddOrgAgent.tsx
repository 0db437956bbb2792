import { useAll } from '../../../../data/all.ts'
import { useChange } from '../../../../data/queries.ts'
import { urnOf } from '../../../../data/urn.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Form, typed } from '../../../../ui/forms/Form.tsx'

/** Adds an agent of the person's to an org. Renders nothing if all are in it. */
export function AddOrgAgent({ org, listed }: { org: string; listed: readonly string[] }) {
  const { data: own = [] } = useAll('listAgents', {})
  const add = useChange('addOrgAgent', ['listOrgAgents'])
  const others = own.filter(({ urn }) => !listed.includes(urn.body))
  if (others.length === 0) return null
  return (
    <Form
      submit={t('Add')}
      onSubmit={(form) => add.mutateAsync({ params: { org }, body: { agent_urn: typed(form, 'agent_urn') } })}
    >
      <Field label={t('Add an agent of yours')} name="agent_urn">
        {(props) => (
          <select {...props}>
            {others.map(({ urn, display_name }) => (
              <option key={urn.body} value={urnOf('agent', urn.body)}>
                {display_name}
              </option>
            ))}
          </select>
        )}
      </Field>
    </Form>
  )
}
