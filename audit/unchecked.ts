import type { Hex } from 'viem'
import { namesPurpose } from '../protocol/payments/nonces.ts'
import type { Deposit } from './custody.ts'
import type { Hold } from './holds.ts'
import type { Published } from './published.ts'

/** Returns the transactions of payouts whose deposits name no seller, such as those of stock x402 clients. */
export function unnamedPayouts(deposits: readonly Deposit[]): Hex[] {
  return deposits.flatMap(({ nonce, legs: { payee } }) => (payee && !namesPurpose(nonce) ? [payee.txHash] : []))
}

/**
 * Returns sentences about what the audit could not check for lack of input, so that a clean report does not
 * claim too much.
 */
export function uncheckedOf(published: Published, holds: readonly Hold[], deposits: readonly Deposit[]): string[] {
  const { keys, fees, receipts, payouts = [], liabilities = [], balances = [], cutOff = [] } = published
  const { build, coldWallets = [] } = published
  const ended = [
    ...holds.filter(({ ending }) => ending).map(({ id }) => id),
    ...deposits
      .filter(({ legs }) => legs.payee || legs.payer)
      .map(({ transfer, nonce }) => `${transfer.from}:${nonce}`),
  ]
  const told = new Set(
    receipts.flatMap(({ document: { hold_id, payer, deposit_nonce } }) => [hold_id, `${payer}:${deposit_nonce}`]),
  )
  const untold = ended.filter((one) => !told.has(one)).length
  const unnamed = payouts.filter(({ leg, deposit }) => leg === 'payee' && !namesPurpose(deposit.nonce)).length
  const isSold = deposits.some(({ legs }) => legs.payee)
  const gaps: [boolean, string][] = [
    [keys.length === 0, 'No published keys were given: nothing that is signed can be believed.'],
    [
      'feeBps' in fees && deposits.length > 0,
      'No signed list of fees was given: all custodied orders were taken to have had the one fee that was named.',
    ],
    [untold > 0, `${untold} of ${ended.length} distributed payments have no receipt here: only the chain was asked.`],
    [
      isSold && payouts.length === 0,
      'No payout receipts were given: the amounts of payouts were checked, not whose wallets they went to.',
    ],
    [
      unnamed > 0,
      `${unnamed} payouts are of deposits whose nonce names no seller, as of a stock x402 client: whose they were is the service's word.`,
    ],
    [liabilities.length === 0, 'No signed root was given: it was not checked what custody says it owes.'],
    [
      balances.length === 0,
      'No balances of owners were given: it was not checked that anybody is in the tree. Each can check their own.',
    ],
    [
      build === undefined,
      'No build of the contract was given: its code, by which its own answers are judged, was not compared.',
    ],
    ...coldWallets.map(({ address, proof }): [boolean, string] => [
      proof === undefined,
      `The cold wallet ${address} gave no proof of control: what it holds was not counted.`,
    ]),
    ...cutOff.map((what): [boolean, string] => [
      true,
      `The last page of the ${what} was not given (next_cursor): what stands on it was not checked.`,
    ]),
  ]
  return gaps.filter(([isOpen]) => isOpen).map(([, sentence]) => sentence)
}
