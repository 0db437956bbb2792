import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { createMarket } from '../../../sdk/market.ts'
import type { Stack } from '../../kit/stack/stack.ts'
import { until } from '../../kit/until.ts'

const LOOKS = ['human.found_by_email', 'human.read_by_operator']

/** What operators do with people is told to these, by the sealed log. */
export function operatorsLooks(stackOf: () => Stack): void {
  it('tells a person in their audit log that an operator found them by e-mail, and read their record', async () => {
    const { baseUrl, credentials } = stackOf()
    const operator = createMarket({ baseUrl, token: credentials.operator_token })
    const email = `${randomUUID()}@market.invalid`
    const { body: person } = await operator.call('createHuman', { body: { display_name: 'A human', email } })
    const minted = await operator.call('mintToken', { body: { owner_urn: person.urn, scopes: ['read'] } })
    const own = createMarket({ baseUrl, token: minted.body.secret })
    await operator.call('searchEverything', { body: { q: email } })
    await operator.call('readPerson', { params: { urn: urnString('human', person.urn.body) } })
    const read = async () => {
      const { body } = await own.call('listAuditLog', { query: { own: 'true' } })
      return body.entries.flatMap(({ content }) => (content ? [content.action] : []))
    }
    await until('both looks are sealed', read, (actions) => LOOKS.every((look) => actions.includes(look)))
  })
}
