import { failureText } from '../terminal/failure.ts'
import { DONE, MISUSED, Misuse, readOptions } from '../terminal/options.ts'
import { printable } from '../terminal/text.ts'
import { type Checked, checkEvidence } from './verify/check.ts'
import { readEvidence } from './verify/evidence.ts'
import { readTrusted } from './verify/trusted.ts'

const FAULTY = 1
const USAGE = `Usage: ./market verify <file | urn>… [--config <file>] [--after <position>:<hash>] [--agent <urn>] [--json]

Checks signed documents: the signature, and that what they say adds up. A file is JSON as the API answered it: a receipt or
its proof, a verdict or its proof, an answer on reputation, a page of the audit log, its signed head or an archive of it, the signed
liabilities.
Several pages of the audit log are checked as one chain, in the order given, and held against each signed head that is named
beside them: it says which. A receipt or a verdict named by its URN is fetched first, and a proof that was saved before its receipt
was final, or in the audit log, is fetched again.

  --config  a GET /v1/config/public that you kept: with it, files are checked offline, against keys of that time
  --after   a place in the audit log that you verified before, where the first page has to go on
  --agent   the agent to fetch as, where MARKET_TOKEN is a human's: a receipt is shown to its parties
  --json    one JSON object

Without --config it takes the keys that the service publishes now (MARKET_URL, or the running sandbox): then the service
vouches for itself. Whether the chain has what receipts say is for ./market audit.
Exits 0 where all fits, 1 where something does not, 2 where it could not be checked.`

/**
 * Checks the documents that the arguments name. Returns 0 if all are valid, 1 if not, 2 if they could not be
 * checked.
 */
export async function run(args: string[]): Promise<number> {
  try {
    const { values, positionals } = readOptions(args, {
      config: { type: 'string' },
      after: { type: 'string' },
      agent: { type: 'string' },
    })
    if (values.help) {
      console.log(USAGE)
      return DONE
    }
    if (positionals.length === 0) throw new Misuse('Name a file or a URN. ./market verify --help tells more.')
    const trusted = await readTrusted(values.config)
    const evidence = []
    for (const name of positionals)
      evidence.push(...(await readEvidence(name, { agent: values.agent, isOffline: values.config !== undefined })))
    const checked = await checkEvidence(evidence, trusted, values.after)
    const valid = checked.every(({ faults }) => faults.length === 0)
    if (values.json) console.log(JSON.stringify({ valid, keys: trusted.source, checked }, null, 2))
    else console.log([...checked.map(lineOf), `Keys: ${trusted.told}`].join('\n'))
    return valid ? DONE : FAULTY
  } catch (error) {
    console.error(failureText(error))
    return MISUSED
  }
}

function lineOf({ subject, kind, says, faults, not_checked }: Checked): string {
  const verdict = faults.length === 0 ? '✓' : '✗'
  return [
    `${verdict} ${kind} ${printable(subject)}`,
    ...says.map((sentence) => `    ${printable(sentence)}`),
    ...faults.map((sentence) => `    Does not fit: ${printable(sentence)}`),
    ...not_checked.map((sentence) => `    Not checked: ${printable(sentence)}`),
  ].join('\n')
}
