import { parseArgs } from 'node:util'
import { z } from 'zod'
import { listSigningKeys, rotateSigningKeys } from '../../api/keyRotation/administer.ts'
import { SIGNING_PURPOSES } from '../../protocol/keys/signing.ts'
import { readKeysEnvironment } from '../machine/env.ts'

const USAGE = `Usage: ./market keys [rotate] [--purpose <purpose>]… [--foreign]

Shows the keys that the service signs with. \`rotate\` gives each purpose a new one, or those that are named, and retires the
key in use; what that signed still verifies. No process is restarted for it. Purposes: ${SIGNING_PURPOSES.join(', ')}.

Reads DATABASE_URL and SIGNING_KEY, or the running sandbox. FORMER_SIGNING_KEY is the SIGNING_KEY before this one, while it is
replaced (docs/operate/keys.md): \`rotate\` encrypts anew what it encrypted. --foreign also replaces a key in use that no such
SIGNING_KEY encrypted, as somebody with a login to the database may have stored one.`

const purpose = z.enum(SIGNING_PURPOSES, { error: `must be ${SIGNING_PURPOSES.join(', ')}` })

/** Shows or rotates the signing keys. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    options: { purpose: { type: 'string', multiple: true }, foreign: { type: 'boolean' }, help: { type: 'boolean' } },
    allowPositionals: true,
  })
  const isRotation = positionals[0] === 'rotate'
  if (values.help || positionals.length > (isRotation ? 1 : 0)) {
    console.error(USAGE)
    return values.help ? 0 : 2
  }
  const purposes = z.array(purpose).parse(values.purpose ?? [...SIGNING_PURPOSES])
  const { databaseUrl, ...keys } = await readKeysEnvironment()
  const rotations = isRotation
    ? await rotateSigningKeys(databaseUrl, { ...keys, retiresForeign: values.foreign === true }, purposes)
    : []
  for (const { purpose: of, kid, formerKid } of rotations)
    console.log(`${of}: ${kid} takes the place of ${formerKid ?? 'none'}`)
  for (const key of await listSigningKeys(databaseUrl, keys)) {
    console.log(`${key.kid}  ${key.purpose?.padEnd(11)}  ${key.valid_from}  ${key.valid_until ?? 'in use'}`)
  }
  return 0
}
