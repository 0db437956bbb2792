import { parseArgs } from 'node:util'
import { getAddress, isAddress } from 'viem'
import { foreignRows } from '../../facilitator/foreignRows.ts'
import { requireSessionUrl } from '../../protocol/environment/pooler.ts'
import { readFileOwner } from '../machine/env.ts'

const USAGE = `Usage: ./market facilitator-file [--remove] <address>…

Counts the rows of the facilitator's tables that none of its keys signed: a thief of the login market_facilitator added them.
\`--remove\` deletes them; without it nothing changes. Change the password of the login first, and end its sessions.

Name the addresses of all keys that have ever sent transactions: the submitters, the resolver and the retired keys.
Reads CHAIN_ID, TOKEN_ADDRESS, HOT_WALLET_ADDRESS, and DATABASE_URL, of the database's owner.`

/** Counts the rows of the facilitator's file that no key of ours signed, or removes them. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    options: { remove: { type: 'boolean', default: false }, help: { type: 'boolean' } },
    allowPositionals: true,
  })
  const senders = positionals.filter((text) => isAddress(text))
  if (values.help || positionals.length === 0 || senders.length < positionals.length) {
    console.error(USAGE)
    return values.help ? 0 : 2
  }
  const { at, ...databases } = readFileOwner()
  const databaseUrl = await requireSessionUrl(databases, 'this command needs')
  const own = { at, senders: senders.map((address) => getAddress(address)) }
  let total = 0
  for await (const { table, rows, foreign } of foreignRows(databaseUrl, own, { isRemoval: values.remove })) {
    total += foreign
    console.log(`${table}: ${rows} rows, ${foreign} ${values.remove ? 'removed' : 'not ours'}`)
  }
  if (total > 0 && !values.remove)
    console.log('Nothing was changed. Add --remove to delete the rows that are not ours.')
  return 0
}
