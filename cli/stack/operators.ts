import { parseArgs } from 'node:util'
import { appointOperator } from '../../api/identity/setup/appoint.ts'
import { parseUrn } from '../../protocol/encoding/urn.ts'
import { readOwnerUrl } from '../machine/env.ts'

const USAGE = `Usage: ./market operators add <human urn> [--reviewer]

Makes a human an operator: who may stop payouts and enrol people; with --reviewer, who is also assigned disputes to decide.
Reads DATABASE_URL, of the database's owner, or takes the running sandbox.`

/** Appoints an operator. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    options: { reviewer: { type: 'boolean' }, help: { type: 'boolean' } },
    allowPositionals: true,
  })
  const [action, human, ...more] = positionals
  const humanId = parseUrn('human', human ?? '')
  if (values.help || action !== 'add' || humanId === undefined || more.length > 0) {
    console.error(USAGE)
    return values.help ? 0 : 2
  }
  await appointOperator(await readOwnerUrl(), humanId, { isReviewer: values.reviewer ?? false })
  console.log(`${human} is an operator${values.reviewer ? ' and a reviewer' : ''}.`)
  return 0
}
