import { useAll } from '../../../data/all.ts'
import { useChange } from '../../../data/queries.ts'
import { urnOf } from '../../../data/urn.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { typed } from '../../../ui/FormDialog.tsx'
import { Problem } from '../../../ui/Problem.tsx'

/** Makes an agent of the person's a listed member. Nothing without one that is not. */
export function AddOrgAgent({ org, listed }: { org: string; listed: readonly string[] }) {
  const { data: own = [] } = useAll('listAgents', {})
  const add = useChange('addOrgAgent', ['listOrgAgents'])
  const others = own.filter(({ urn }) => !listed.includes(urn.body))
  if (others.length === 0) return null
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate({ params: { org }, body: { agent_urn: typed(new FormData(event.currentTarget), 'agent') } })
      }}
    >
      <Field label="Add an agent of yours" name="agent">
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
      <Problem error={add.error} />
      <div>
        <Button type="submit" busy={add.isPending}>
          Add
        </Button>
      </div>
    </form>
  )
}
