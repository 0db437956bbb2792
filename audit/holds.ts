import { type Address, getAddress, type Hex, type PublicClient } from 'viem'
import { escrowAbi } from '../protocol/generated/escrow.ts'
import { type Split, splitHold } from '../protocol/payments/split.ts'
import { type EscrowLocation, holdId, type Terms, termsHash } from '../protocol/payments/terms.ts'
import { askAll } from '../protocol/rpc/askAll.ts'
import type { EscrowEvent, History, Transfer } from './history.ts'
import type { Finding } from './report.ts'

type EventOf<Name extends EscrowEvent['eventName']> = Extract<EscrowEvent, { eventName: Name }>
type Ending = EventOf<'Released'> | EventOf<'Reclaimed'>

/** One hold, as derived from its events. */
export interface Hold {
  id: Hex
  payer: Address
  terms: Terms
  funded: EventOf<'Funded'>
  ending: Ending | undefined
  split: Split | undefined
}

/** Every hold of the contract, and the findings about them. */
export interface HoldsResult {
  holds: Hold[]
  findings: Finding[]
}

/**
 * Re-derives each hold's identity, its payment and its distribution from the contract's and the token's
 * events.
 */
export function auditHolds(history: History, at: EscrowLocation): HoldsResult {
  const findings: Finding[] = []
  const holds = new Map<Hex, Hold>()
  const payments = signedPayments(history, at.escrow)
  for (const event of history.escrowEvents) {
    if (event.eventName === 'Funded') findings.push(...open(holds, payments, event, at))
    if (event.eventName === 'Released' || event.eventName === 'Reclaimed') findings.push(...close(holds, event))
  }
  return { holds: [...holds.values()], findings }
}

// HoldState.Held of the contract.
const HELD = 1

/**
 * Reads from the contract the state of each hold without an end event: a node that omits logs would hide that
 * it has ended.
 */
export async function compareHolds(
  client: PublicClient,
  at: { escrow: Address; toBlock: bigint },
  holds: readonly Hold[],
): Promise<Finding[]> {
  const contract = { address: at.escrow, abi: escrowAbi, blockNumber: at.toBlock } as const
  const open = holds.filter(({ ending }) => !ending)
  const states = await askAll(open, ({ id }) =>
    client.readContract({ ...contract, functionName: 'stateOf', args: [id] }),
  )
  const detail = 'No event says that it ended; the contract does not hold it any more.'
  return open
    .filter((_hold, index) => states[index] !== HELD)
    .map(({ id }) => ({ code: 'hold/state-differs', subject: id, detail }))
}

/** Returns the signed payments into the escrow, by signer and nonce. */
export function signedPayments(history: History, escrow: Address): Map<string, Transfer> {
  const payments = new Map<string, Transfer>()
  for (const transfer of history.transfers) {
    if (transfer.to === escrow && transfer.authorizationNonce) {
      payments.set(`${transfer.from}:${transfer.authorizationNonce}`, transfer)
    }
  }
  return payments
}

function open(
  holds: Map<Hex, Hold>,
  payments: Map<string, Transfer>,
  event: EventOf<'Funded'>,
  at: EscrowLocation,
): Finding[] {
  const { holdId: id, payer, terms, order } = event.args
  const subject = id
  const nonce = termsHash(at, terms)
  const findings: Finding[] = []
  if (id !== holdId(nonce, payer) || order !== terms.order) {
    findings.push({
      code: 'hold/wrong-id',
      subject,
      detail: 'The hold id is not the hash of its terms and payer, or its order is not theirs.',
    })
  }
  if (holds.has(id)) findings.push({ code: 'hold/funded-twice', subject, detail: 'This hold was funded before.' })
  const payment = payments.get(`${payer}:${nonce}`)
  if (!payment || payment.amountMicros !== terms.amount) {
    findings.push({
      code: 'hold/unpaid',
      subject,
      detail: `No payment of ${terms.amount} signed by ${payer} for these terms reached the contract.`,
    })
  }
  holds.set(id, { id, payer, terms, funded: event, ending: undefined, split: undefined })
  return findings
}

function close(holds: Map<Hex, Hold>, ending: Ending): Finding[] {
  const subject = ending.args.holdId
  const hold = holds.get(subject)
  if (!hold) return [{ code: 'hold/unknown', subject, detail: 'It was distributed and never funded.' }]
  if (hold.ending) return [{ code: 'hold/distributed-twice', subject, detail: 'It was distributed before.' }]
  hold.ending = ending
  if (ending.args.order !== hold.terms.order || ending.args.payer !== hold.payer) {
    return [
      {
        code: 'hold/wrong-parties',
        subject,
        detail: 'It was distributed as another order or payer than it was funded for.',
      },
    ]
  }
  if (ending.eventName === 'Reclaimed') {
    hold.split = splitHold(hold.terms.amount, hold.terms.amount, hold.terms.feeBps)
    return ending.args.amount === hold.terms.amount
      ? []
      : [
          {
            code: 'hold/wrong-reclaim',
            subject,
            detail: `${ending.args.amount} of ${hold.terms.amount} was reclaimed.`,
          },
        ]
  }
  return checkSplit(hold, ending)
}

function checkSplit(hold: Hold, { args }: EventOf<'Released'>): Finding[] {
  const { terms, payer } = hold
  const paid = { [getAddress(payer)]: 0n, [getAddress(terms.payee)]: 0n, [getAddress(terms.feeRecipient)]: 0n }
  for (const [index, recipient] of args.recipients.entries()) {
    const before = paid[getAddress(recipient)]
    if (before === undefined) {
      return [{ code: 'hold/foreign-recipient', subject: hold.id, detail: `${recipient} is no party to this hold.` }]
    }
    paid[getAddress(recipient)] = before + (args.amounts[index] ?? 0n)
  }
  const split = {
    payerMicros: paid[getAddress(payer)] ?? 0n,
    payeeMicros: paid[getAddress(terms.payee)] ?? 0n,
    feeMicros: paid[getAddress(terms.feeRecipient)] ?? 0n,
  }
  hold.split = split
  const due = split.payerMicros <= terms.amount ? splitHold(terms.amount, split.payerMicros, terms.feeBps) : undefined
  return due && due.payeeMicros === split.payeeMicros && due.feeMicros === split.feeMicros
    ? []
    : [
        {
          code: 'hold/wrong-split',
          subject: hold.id,
          detail: `Payer ${split.payerMicros}, seller ${split.payeeMicros}, fee ${split.feeMicros} of ${terms.amount}.`,
        },
      ]
}
