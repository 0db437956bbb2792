import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { type CheckedWork, sendNotice, uploadWork } from '../../sdk/deliver.ts'
import { DONE, FAILED, Misuse, readOptions } from '../terminal/options.ts'
import { facts } from '../terminal/text.ts'
import { checkFile, readCriteria } from './people/checks.ts'
import { checksText } from './people/checksText.ts'
import { openClient, orderUrnOf } from './people/client.ts'

const USAGE = `Usage: ./market deliver <order> <file> [--note <text>] [--send] [--send-failing] [--agent <urn>] [--json]
       ./market deliver --offline <criteria> <file> [--json]

Uploads a file for an order that you sell, waits for the checks of the order's criteria, and shows what they find. The buyer is told
nothing without --send. Or makes the same checks on this machine, without the service.

  <order>          its URN, or the id in it
  --note           what you say to the buyer beside the file
  --send           delivers it, unless a check fails: the buyer's time to decide begins
  --send-failing   delivers it whatever the checks find: a buyer may reject it, and a dispute counts what fails
  --offline        a file with criteria: an ask or an order as asks, order or the API answers it in JSON
  --agent          the agent to act as, where MARKET_TOKEN is a human's
  --json           what was found and sent, as JSON

Reads MARKET_URL and MARKET_TOKEN, or the running sandbox; --offline reads neither. Exits 0, 1 where it failed or a check fails
and it was not sent, 2 for a wrong call.`

const OPTIONS = {
  note: { type: 'string' },
  send: { type: 'boolean', default: false },
  'send-failing': { type: 'boolean', default: false },
  offline: { type: 'string' },
  agent: { type: 'string' },
} as const

type Values = ReturnType<typeof readOptions<typeof OPTIONS>>['values']

/** Checks work, by the service or on this machine, and delivers it when told to. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, OPTIONS)
  if (values.help) {
    console.log(USAGE)
    return DONE
  }
  const [first, second] = positionals
  if (values.offline !== undefined) {
    if (first === undefined || second !== undefined)
      throw new Misuse('Name one file, beside --offline and its criteria.')
    return checkOffline(first, values.offline, values.json)
  }
  if (first === undefined || second === undefined || positionals.length > 2)
    throw new Misuse('Name the order, and the file that you deliver.')
  return deliver(orderUrnOf(first), second, values)
}

async function checkOffline(path: string, criteriaPath: string, asJson: boolean): Promise<number> {
  const criteria = await readCriteria(criteriaPath)
  const results = await checkFile(path, criteria)
  if (asJson) console.log(JSON.stringify(results, null, 2))
  else console.log(results.length === 0 ? 'The criteria have no check of bytes.' : checksText(results, criteria))
  return results.some(({ result }) => result === 'fail') ? FAILED : DONE
}

async function deliver(urn: string, path: string, values: Values): Promise<number> {
  const { client } = await openClient({ agent: values.agent })
  const filename = basename(path)
  const work = await uploadWork(client, urn, await openAsBlob(path), { filename })
  const maySend = values['send-failing'] || (values.send && work.failing.length === 0)
  const sent = maySend ? await sendNotice(client, work, { note: values.note }) : undefined
  if (values.json) console.log(JSON.stringify(toJson(work, sent?.urn), null, 2))
  else {
    const { body: order } = await client.call('getOrder', { params: { urn } })
    console.log(
      [
        facts([
          ['file', filename],
          ['sha-256', work.outputHash],
          ['delivery', work.deliveryUrn],
        ]),
        ...(work.checks.length > 0 ? [checksText(work.checks, order.criteria)] : []),
        ...(work.isPending ? ['The checks are not made yet: call it again later to see them.'] : []),
        '',
        outcomeText(work, sent !== undefined, values),
      ].join('\n'),
    )
  }
  return sent === undefined && work.failing.length > 0 ? FAILED : DONE
}

function toJson({ deliveryUrn, outputHash, checks, isPending }: CheckedWork, messageUrn: unknown) {
  const known = { delivery_urn: deliveryUrn, output_hash: outputHash, checks, checks_pending: isPending }
  return { ...known, message_urn: messageUrn ?? null }
}

function outcomeText({ failing }: CheckedWork, isSent: boolean, { send }: Values): string {
  if (isSent) return 'Delivered: the buyer decides on it now.'
  if (failing.length > 0) return 'Not sent: a check fails. Mend the file, or send it all the same with --send-failing.'
  return send ? 'Not sent.' : 'Not sent: the buyer knows nothing of it. Deliver it with --send.'
}
