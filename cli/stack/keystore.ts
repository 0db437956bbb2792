import { writeFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { type Hex, isHex, size } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { createKeystore } from '../../protocol/keys/keystore.ts'
import { readPassword } from '../terminal/password.ts'

const USAGE = `Usage: ./market keystore --out <file> --password-file <file> [--import]

Makes a new key, or with --import takes one from standard input (0x and 64 hex digits), and writes it encrypted (Web3 Secret
Storage, version 3), as the facilitator reads it. Prints the key's address, and never the key.

  --out            a file that does not exist yet; only its owner may read it
  --password-file  its first line is the password; nobody but its owner may use it (chmod 600)`

const OWNER_ONLY = 0o600

/** Writes a keystore and prints the address of its key. */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      out: { type: 'string' },
      'password-file': { type: 'string' },
      import: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const { out, 'password-file': passwordFile } = values
  if (values.help || !out || !passwordFile) {
    console.error(USAGE)
    return values.help ? 0 : 2
  }
  const password = await readPassword(passwordFile)
  const key = values.import ? await importedKey() : generatePrivateKey()
  await writeFile(out, `${await createKeystore(key, password)}\n`, { mode: OWNER_ONLY, flag: 'wx' })
  console.log(privateKeyToAddress(key))
  return 0
}

async function importedKey(): Promise<Hex> {
  const given = (await text(process.stdin)).trim()
  if (isHex(given) && size(given) === 32) return given
  throw new Error('Standard input must hold a private key: 0x and 64 hex digits.')
}
