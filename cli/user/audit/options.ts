import { parseArgs } from 'node:util'

/** What `./market audit --help` prints. */
export const USAGE = `Usage: ./market audit [options]

Proves settlement from chain data: exits 0 when nothing was found, 1 when something was, 2 when it could not look. Without
options it audits the running sandbox, with the receipts of its first human. docs/audit.md says what is proved, and how to keep what it takes: it needs a node,
and of the service nothing that you have not saved before.

  --rpc-url <url>        an EVM node
  --config <file>        a saved GET /v1/config/public: the addresses, the fee and the keys; options below win over it
  --base-url <url>       a running service to read that and the newest signed root from
  --escrow, --hot-wallet, --token <address>
  --cold-wallet <address>[=<signature>]  a further wallet that holds what is in custody, and its proof of control,
                         without which its balance does not count; may be repeated
  --from-block <number>  the escrow's deployment block      --to-block <number>  default: the newest
  --fee-bps <number>     one fee of all custodied orders, in hundredths of a percent, instead of the signed list
  --keys <file>          a JWKS: the published signing keys
  --receipts <file>      signed receipts: a JSON array, or an account's export
  --payouts <file>       payout receipts: a saved GET /v1/ledger/payout-receipts
  --liabilities <file>   signed roots: a saved GET /v1/liabilities
  --balances <file>      balances with their paths: a saved GET /v1/me/liabilities
  --appeals <file>       which deposits were fees of appeals: a saved GET /v1/public/appeal-fees
                         (each of these five may be repeated)
  --json                 one JSON object`

const options = {
  'base-url': { type: 'string' },
  config: { type: 'string' },
  'rpc-url': { type: 'string' },
  escrow: { type: 'string' },
  'hot-wallet': { type: 'string' },
  'cold-wallet': { type: 'string', multiple: true },
  token: { type: 'string' },
  'from-block': { type: 'string' },
  'to-block': { type: 'string' },
  'fee-bps': { type: 'string' },
  keys: { type: 'string' },
  receipts: { type: 'string', multiple: true },
  payouts: { type: 'string', multiple: true },
  liabilities: { type: 'string', multiple: true },
  balances: { type: 'string', multiple: true },
  appeals: { type: 'string', multiple: true },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** The options as given. */
export type AuditValues = ReturnType<typeof readOptions>

/** Parses the options. Throws for an unknown option. */
export function readOptions(args: string[]) {
  return parseArgs({ args, options }).values
}
