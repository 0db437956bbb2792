// An auditor: reads the audit log, then checks it and receipts offline, with keys that it kept.
// ./market node examples/auditor.ts [.market/sandbox.json] [receipt proof.json…]
import { readFile } from 'node:fs/promises'
import { AUDIT_START, verifyAuditPage } from '../sdk/auditLog.ts'
import { createMarket } from '../sdk/market.ts'
import { checkReceipt } from '../sdk/receipts.ts'
import { readPlace, say } from './agent.ts'

const [file, ...proofs] = process.argv.slice(2)
const { base_url: baseUrl, human_token: token } = await readPlace(file)
const market = createMarket({ baseUrl, token })

// 1. Keep the keys, and compare them with somebody else's copy. A service that shows two people different
// keys is lying.
const { body: config } = await market.call('getPublicConfig', {})
const { keys } = config.keys
say(`${keys.length} keys of ${config.network}`)

// 2. Follow the log from its first entry, or from where you stopped the last time. It goes on without gaps,
// or this throws.
let place = AUDIT_START
for (let cursor: string | null | undefined; cursor !== null; ) {
  const query = { after: place.position, limit: 500 }
  const { body: page } = await market.call('listAuditLog', { query })
  place = verifyAuditPage(page.entries, place)
  cursor = page.next_cursor
}
say(`the audit log is whole up to entry ${place.position}, ${place.hash}`)

// 3. Check receipts that their parties showed you: signature, sums, their place in the log. ./market audit
// compares them
//    and all other settlements with the chain.
let faults = 0
for (const path of proofs) {
  const { proof } = JSON.parse(await readFile(path, 'utf8'))
  const wrong = await checkReceipt(proof, keys)
  faults += wrong.length
  say(`${proof.document.receipt_urn}: ${wrong.length === 0 ? 'fits' : wrong.join(', ')}`)
}
process.exitCode = faults === 0 ? 0 : 1
