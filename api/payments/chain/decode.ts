import { type Abi, type Address, decodeEventLog, type Hex, isAddressEqual, type Log } from 'viem'
import { escrowAbi } from '../../../protocol/generated/escrow.ts'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import { termsHash } from '../../../protocol/payments/terms.ts'
import type { ChainSettings } from '../../context.ts'
import type { ChainEvent, Place } from './evidence.ts'

/** A log of a mined transaction, as a node returns it. */
export type MinedLog = Log<bigint, number, false>

// In the order of the contract's enum.
const ADOPT = 1

const lower = <Text extends Hex>(text: Text) => text.toLowerCase() as Text

/**
 * Decodes the event from a log and its neighbours in the transaction. Returns undefined if the log is not an
 * event of this kind: another contract emitted it, it is another event, or it is a signed transfer and an
 * unsigned one is expected.
 */
export function decodeEvent(
  chain: ChainSettings,
  kind: ChainEvent['kind'],
  logs: readonly MinedLog[],
  logIndex: number,
): ChainEvent | undefined {
  const log = logs.find((candidate) => candidate.logIndex === logIndex)
  if (!log) return undefined
  if (isAddressEqual(log.address, chain.escrow)) {
    const event = decodeEscrowEvent(chain, log, logs)
    return event?.kind === kind ? event : undefined
  }
  return isAddressEqual(log.address, chain.token) ? decodeTransfer(chain, kind, logs, log) : undefined
}

function placeOf(log: MinedLog): Place {
  const { blockNumber, blockHash, transactionHash: txHash, logIndex } = log
  return { blockNumber, blockHash, txHash, logIndex }
}

function decodeEscrowEvent(chain: ChainSettings, log: MinedLog, logs: readonly MinedLog[]): ChainEvent | undefined {
  const place = placeOf(log)
  const event = decoded(escrowAbi, log)
  switch (event?.eventName) {
    case 'Funded': {
      const { holdId, payer, terms, adopted } = event.args
      return { kind: 'funded', place, holdId, payer: lower(payer), terms, nonce: termsHash(chain, terms), adopted }
    }
    case 'Released': {
      const { holdId, order, payer, recipients, amounts, cause } = event.args
      const credits = recipients.map((account, leg) => ({ account: lower(account), amountMicros: amounts[leg] ?? 0n }))
      return { kind: 'released', place, holdId, order, payer: lower(payer), credits, cause }
    }
    case 'Reclaimed': {
      const { holdId, order, payer, amount } = event.args
      return { kind: 'reclaimed', place, holdId, order, payer: lower(payer), amountMicros: amount }
    }
    case 'Withdrawn': {
      const { account, to, amount } = event.args
      const ordinal = withdrawalsBefore(chain, logs, log, account)
      return { kind: 'withdrawn', place, account: lower(account), to: lower(to), amountMicros: amount, ordinal }
    }
    case 'StrayAnnounced': {
      const { from, nonce, amount, availableAt } = event.args
      const action = event.args.action === ADOPT ? 'adopt' : 'return'
      return { kind: 'stray_announced', place, from: lower(from), nonce, action, amount, availableAt }
    }
    case 'StrayReturned': {
      const { from, nonce, amount } = event.args
      return { kind: 'stray_returned', place, from: lower(from), nonce, amountMicros: amount }
    }
    case 'Rescued': {
      const { token, to, amount } = event.args
      return isAddressEqual(token, chain.token)
        ? { kind: 'rescued', place, to: lower(to), amountMicros: amount }
        : undefined
    }
    default:
      return undefined
  }
}

/** Returns how many withdrawals of the account precede this log in the same transaction. */
function withdrawalsBefore(chain: ChainSettings, logs: readonly MinedLog[], log: MinedLog, account: Address): number {
  return logs.filter((other) => {
    if (other.logIndex >= log.logIndex || !isAddressEqual(other.address, chain.escrow)) return false
    const event = decoded(escrowAbi, other)
    return event?.eventName === 'Withdrawn' && isAddressEqual(event.args.account, account)
  }).length
}

function decodeTransfer(
  chain: ChainSettings,
  kind: ChainEvent['kind'],
  logs: readonly MinedLog[],
  log: MinedLog,
): ChainEvent | undefined {
  const transfer = tokenEvent(chain, log)
  if (transfer?.eventName !== 'Transfer') return undefined
  const { from, to, value: amountMicros } = transfer.args
  // Anyone can make the token log a transfer of zero out of any account.
  if (isAddressEqual(from, to) || amountMicros === 0n) return undefined
  const base = { place: placeOf(log), to: lower(to), amountMicros }
  if (kind === 'leak')
    return isAddressEqual(from, chain.escrow) && !isExplained(chain, logs, log, base) ? { kind, ...base } : undefined
  const nonce = authorizationBefore(chain, logs, log, from)
  const isInflow = [chain.escrow, chain.hotWallet].some((address) => isAddressEqual(address, to))
  if (kind === 'outflow') return isAddressEqual(from, chain.hotWallet) ? { kind, ...base, nonce } : undefined
  if (!isInflow) return undefined
  if (kind === 'transfer' && nonce === null) return { kind, ...base, from: lower(from) }
  if (kind !== 'payment' || nonce === null) return undefined
  return { kind, ...base, from: lower(from), nonce, holdId: holdAfter(chain, logs, log) }
}

function authorizationBefore(
  chain: ChainSettings,
  logs: readonly MinedLog[],
  log: MinedLog,
  from: Address,
): Hex | null {
  const before = logs.find((candidate) => candidate.logIndex === log.logIndex - 1)
  const used = before && tokenEvent(chain, before)
  return used?.eventName === 'AuthorizationUsed' && isAddressEqual(used.args.authorizer, from) ? used.args.nonce : null
}

function holdAfter(chain: ChainSettings, logs: readonly MinedLog[], log: MinedLog): Hex | null {
  const next = logs.find((candidate) => candidate.logIndex === log.logIndex + 1)
  if (!next || !isAddressEqual(next.address, chain.escrow)) return null
  const event = decodeEscrowEvent(chain, next, logs)
  return event?.kind === 'funded' && !event.adopted ? event.holdId : null
}

/** Returns whether the log directly after the transfer is the contract's event for exactly this payment. */
function isExplained(
  chain: ChainSettings,
  logs: readonly MinedLog[],
  log: MinedLog,
  { to, amountMicros }: { to: Address; amountMicros: bigint },
): boolean {
  const next = logs.find((candidate) => candidate.logIndex === log.logIndex + 1)
  const event = next && isAddressEqual(next.address, chain.escrow) ? decodeEscrowEvent(chain, next, logs) : undefined
  switch (event?.kind) {
    case 'withdrawn':
    case 'rescued':
      return event.to === to && event.amountMicros === amountMicros
    case 'stray_returned':
      return event.from === to && event.amountMicros === amountMicros
    default:
      return false
  }
}

/** Decodes an event of the payment token. Returns undefined for other contracts and unknown events. */
function tokenEvent(chain: ChainSettings, log: MinedLog) {
  return isAddressEqual(log.address, chain.token) ? decoded(tokenAbi, log) : undefined
}

/** Decodes a log by its ABI. Returns undefined if it does not match the ABI for any reason. */
function decoded<const Events extends Abi>(abi: Events, { data, topics }: MinedLog) {
  try {
    return decodeEventLog({ abi, data, topics, strict: true })
  } catch {
    return undefined
  }
}

/**
 * Returns the content of an event without its key, in the form of the index: node and index must agree on it
 * before the event is processed.
 */
export function argumentsOf(event: ChainEvent): Record<string, string> {
  switch (event.kind) {
    case 'funded': {
      const { terms } = event
      return {
        order: terms.order,
        payer: event.payer,
        nonce: event.nonce,
        payee: terms.payee.toLowerCase(),
        amount: `${terms.amount}`,
        fee_recipient: terms.feeRecipient.toLowerCase(),
        fee_bps: `${terms.feeBps}`,
        fund_by: `${terms.fundBy}`,
        expiry: `${terms.expiry}`,
        adopted: `${event.adopted}`,
      }
    }
    case 'released': {
      const { order, payer, credits, cause } = event
      const total = credits.reduce((sum, { amountMicros }) => sum + amountMicros, 0n)
      const toPayer = credits.reduce(
        (sum, { account, amountMicros }) => (account === payer ? sum + amountMicros : sum),
        0n,
      )
      return { order, payer, cause: `${cause}`, to_payer: `${toPayer}`, total: `${total}` }
    }
    case 'reclaimed':
      return { order: event.order, payer: event.payer, amount: `${event.amountMicros}` }
    case 'withdrawn':
    case 'outflow':
    case 'rescued':
    case 'leak':
      return { to: event.to, amount: `${event.amountMicros}` }
    case 'stray_announced':
      return {
        from: event.from,
        nonce: event.nonce,
        action: event.action,
        amount: `${event.amount}`,
        available_at: `${event.availableAt}`,
      }
    case 'stray_returned':
      return { amount: `${event.amountMicros}` }
    case 'payment':
      return { to: event.to, amount: `${event.amountMicros}`, hold: event.holdId ?? '' }
    case 'transfer':
      return { from: event.from, to: event.to, amount: `${event.amountMicros}` }
  }
}
