import { zeroAddress } from 'viem'
import type { z } from 'zod'
import type { getOrder } from '../../../api/trading/orders/routes.ts'
import type { UrnObject } from '../../../protocol/encoding/urn.ts'
import type { ReceiptDocument } from '../../../protocol/records/receipt.ts'
import { facts, moment, money, printable, shortened, urnText } from '../../terminal/text.ts'

const TITLE_WIDTH = 32

/** An order as its parties read it. */
export type Order = z.output<(typeof getOrder)['answers'][200]['schema']>

/** How each state looks. */
const SIGNS: Readonly<Record<Order['state'], string>> = {
  placed: '○',
  funded: '◐',
  in_flight: '▶',
  delivered: '◆',
  accepted: '✓',
  rejected: '✕',
  cancelled: '–',
  disputed: '⚑',
  final: '●',
}

/** What an order waits for until its deadline. */
const NEXT: Readonly<Record<NonNullable<Order['next_deadline']>['what'], string>> = {
  pay: 'the buyer pays',
  adopt: 'the contract makes the payment its hold',
  deliver: 'the seller delivers',
  decide: 'the buyer decides; after that it is accepted by itself',
  redeliver: 'the seller delivers again; after that a dispute opens by itself',
  dispute: 'the dispute goes on',
  expire: 'the hold, which the buyer can take back with ./market reclaim',
}

/** The columns of a list of orders. */
export const ORDER_COLUMNS = [
  { head: 'STATE' },
  { head: 'PRICE', right: true },
  { head: 'WORK' },
  { head: 'UNTIL' },
  { head: 'ORDER' },
]

/** Returns an order as a row of a list. */
export function orderRow(order: Order, nowMs: number): string[] {
  const deadline = order.next_deadline?.at
  const state = `${SIGNS[order.state]} ${order.state}`
  return [
    state,
    money(order.price),
    shortened(order.title ?? '', TITLE_WIDTH),
    deadline ? moment(deadline, nowMs) : '',
    urnText(order.urn),
  ]
}

/**
 * Returns an order as people read it: its state and deadline, its parties, where its money is, how it was
 * divided.
 */
export function orderText(order: Order, nowMs: number, receipt?: ReceiptDocument): string {
  const deadline = order.next_deadline
  const next = deadline ? ` Next: ${NEXT[deadline.what]}, until ${moment(deadline.at, nowMs)}.` : ''
  return [
    urnText(order.urn),
    `${SIGNS[order.state]} ${order.state}.${next}`,
    ...(order.may.length > 0 ? [`You may: ${order.may.map((action) => action.replaceAll('_', ' ')).join(', ')}.`] : []),
    ...(order.suspended_at
      ? ['Suspended: its payment is gone from the chain, and the money stays until it is back.']
      : []),
    '',
    facts([
      ['price', `${money(order.price)} USDC, ${order.escrow_mode} escrow`],
      ['work', order.title && printable(order.title)],
      ['buyer', partyOf(order.buyer_urn, order.buyer_name)],
      ['seller', partyOf(order.seller_urn, order.seller_name)],
      ['bought', boughtOf(order)],
      ['placed', moment(order.placed_at, nowMs)],
      ['funded', order.funded_at && moment(order.funded_at, nowMs)],
      [
        'delivered',
        order.delivered_at &&
          `${moment(order.delivered_at, nowMs)}, ${order.deliveries} ${order.deliveries === 1 ? 'delivery' : 'deliveries'}${order.delivery_has_bytes ? '' : '; no bytes were uploaded'}`,
      ],
      ['closed', order.closed_at && moment(order.closed_at, nowMs)],
      ['reason', order.reason && printable(order.reason)],
      ['dispute', order.dispute_urn && urnText(order.dispute_urn)],
      ['receipt', order.receipt_urn && urnText(order.receipt_urn)],
    ]),
    '',
    'Money',
    facts([...moneyOf(order, nowMs), ...sharesOf(receipt)]),
  ].join('\n')
}

/** Returns the state of an order's payment, as names and values. */
function moneyOf({ hold, funding, payment_requirements: asked }: Order, nowMs: number): [string, string | undefined][] {
  if (hold) {
    const { status, amount, payer, deposit_tx, release_tx, settled_at, payee, paid_to = payee } = hold
    return [
      [status, `${money(amount)} USDC, paid by ${payer}`],
      ['seller paid to', paid_to === zeroAddress ? 'no wallet yet' : (paid_to ?? undefined)],
      ['deposit', deposit_tx],
      ['release', release_tx],
      ['settled', settled_at && moment(settled_at, nowMs)],
    ]
  }
  if (funding) {
    const { state, amount, reason, detail, tx } = funding
    const said = [reason, detail].filter((text) => text !== undefined).join(': ')
    return [
      ['payment', state],
      ['amount', amount && money(amount)],
      ['transaction', tx],
      ['because', said || undefined],
    ]
  }
  if (asked)
    return [
      ['to be paid', `${money(asked.amount)} USDC to ${asked.recipient}`],
      ['before', moment(asked.valid_before, nowMs)],
    ]
  return [['paid', 'nothing']]
}

function sharesOf(receipt: ReceiptDocument | undefined): [string, string][] {
  if (!receipt) return []
  return [
    ['to the seller', money(receipt.seller_net)],
    ['fee', money(receipt.market_fee)],
    ['refunded', money(receipt.refunded)],
  ]
}

function boughtOf({ ask_urn, ask_version, quote_urn }: Order): string | undefined {
  if (ask_urn) return `${urnText(ask_urn)}, version ${ask_version}`
  return quote_urn ? urnText(quote_urn) : undefined
}

function partyOf(urn: UrnObject, name: string | undefined): string {
  return name === undefined ? urnText(urn) : `${printable(name)}, ${urnText(urn)}`
}
