import { parseArgs } from 'node:util'
import { appointOperator, dismissOperator } from '../../api/identity/setup/appoint.ts'
import { parseUrn } from '../../protocol/encoding/urn.ts'
import { readOwnerUrl } from '../machine/env.ts'

const USAGE = `Usage: ./market operators add <human urn> [--reviewer]
       ./market operators remove <human urn>

Makes a human an operator: who may stop payouts and enrol people; with --reviewer, who is also assigned disputes to decide.
\`remove\` makes an operator a member again, at once; what they were to review goes to others.
Reads DATABASE_URL, of the database's owner, or takes the running sandbox.`

/** Appoints or dismisses an operator. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    options: { reviewer: { type: 'boolean' }, help: { type: 'boolean' } },
    allowPositionals: true,
  })
  const [action, human, ...more] = positionals
  const humanId = parseUrn('human', human ?? '')
  const isRemoval = action === 'remove' && !values.reviewer
  if (values.help || !(action === 'add' || isRemoval) || humanId === undefined || more.length > 0) {
    console.error(USAGE)
    return values.help ? 0 : 2
  }
  if (isRemoval) {
    await dismissOperator(await readOwnerUrl(), humanId)
    console.log(`${human} is no operator.`)
    return 0
  }
  await appointOperator(await readOwnerUrl(), humanId, { isReviewer: values.reviewer ?? false })
  console.log(`${human} is an operator${values.reviewer ? ' and a reviewer' : ''}.`)
  return 0
}
