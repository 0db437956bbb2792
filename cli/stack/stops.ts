import { parseArgs } from 'node:util'
import { addStop, endStop, standingStops } from '../../api/payments/stops/administer.ts'
import { parseUrn, urnString } from '../../protocol/encoding/urn.ts'
import { readOwnerUrl } from '../machine/env.ts'

const USAGE = `Usage: ./market stops
       ./market stops add --by <human urn> [--place hot_wallet|escrow] <reason>
       ./market stops lift --by <human urn> <stop urn>

Lists what keeps money from leaving. \`add\` stops payouts out of custody, or what the contract is asked for; \`lift\` ends a stop,
which no call of the API does. Both are done in the name of an operator.
Reads DATABASE_URL, of the database's owner, or takes the running sandbox.`

/** Lists, adds or lifts stops. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    options: { by: { type: 'string' }, place: { type: 'string', default: 'hot_wallet' }, help: { type: 'boolean' } },
    allowPositionals: true,
  })
  const [action = 'list', object = ''] = positionals
  const [operatorId, stopId] = [parseUrn('human', values.by ?? ''), parseUrn('stop', object)]
  const { place } = values
  if (values.help || positionals.length > 2) return usage(values.help)
  if (action === 'list' && object === '') await list()
  else if (action === 'add' && operatorId && object !== '' && (place === 'hot_wallet' || place === 'escrow')) {
    const { id } = await addStop(await readOwnerUrl(), operatorId, { place, reason: object })
    console.log(`${urnString('stop', id)} stands.`)
  } else if (action === 'lift' && operatorId && stopId) {
    await endStop(await readOwnerUrl(), operatorId, stopId)
    console.log(`${object} is lifted.`)
    await list()
  } else return usage(false)
  return 0
}

async function list(): Promise<void> {
  const stops = await standingStops(await readOwnerUrl())
  for (const { id, place, raised_at, raised_by, reason } of stops)
    console.log(`${urnString('stop', id)}  ${place}  ${raised_at.toISOString()}  ${raised_by}  ${reason}`)
  if (stops.length === 0) console.log('No stop stands.')
}

function usage(isAsked: boolean | undefined): number {
  console.error(USAGE)
  return isAsked ? 0 : 2
}
