import { describe, it } from 'node:test'
import { expect } from 'chai'
import { type Address, encodeAbiParameters, encodeEventTopics, getAbiItem, getAddress, type Hex, padHex } from 'viem'
import { urnString } from '../../protocol/encoding/urn.ts'
import { escrowAbi } from '../../protocol/generated/escrow.ts'
import { holdId, orderKey, termsHash } from '../../protocol/payments/terms.ts'
import { EscrowRefused, readHold } from '../../sdk/escrow.ts'
import type { EthereumProvider } from '../../sdk/ethereum.ts'
import { expectEachMember } from '../kit/members.ts'

const account = (digit: string): Address => getAddress(padHex(`0x${digit}`, { size: 20 }))
const market = { chainId: 8453, escrow: account('e'), token: account('7') }
const ORDER = '01a1fcef-f6c3-71d3-bf09-45bbbc9b0e6c'
const DEPOSIT = padHex('0xd')

/** What a node tells of the transaction of a deposit. */
const told = (() => {
  const terms = {
    ...{ order: orderKey(ORDER), payee: account('b'), amount: 20_000_000n, feeRecipient: account('f'), feeBps: 500 },
    ...{ fundBy: 1_800_000_000, expiry: 1_810_000_000 },
  }
  const payer = account('a')
  const id = holdId(termsHash(market, terms), payer)
  const event = { holdId: id, order: terms.order, payer, terms, adopted: false }
  return { chainId: '0x2105', status: '0x1', address: market.escrow, event }
})()

function nodeTelling({ chainId, status, address, event }: typeof told): EthereumProvider {
  const topics = encodeEventTopics({ abi: escrowAbi, eventName: 'Funded', args: event })
  const inputs = getAbiItem({ abi: escrowAbi, name: 'Funded' }).inputs.filter((input) => !input.indexed)
  const data = encodeAbiParameters(inputs as never, [event.terms, event.adopted] as never) as Hex
  return {
    request: async ({ method }) => (method === 'eth_chainId' ? chainId : { status, logs: [{ address, topics, data }] }),
  }
}

describe('the hold of an order, read from what a node tells', () => {
  const read = (telling: typeof told, order = urnString('order', ORDER)) =>
    readHold(nodeTelling(telling), market, { order, depositTx: DEPOSIT })
  const faultOf = (telling: typeof told) =>
    read(telling).then(
      () => undefined,
      (error) => (error instanceof EscrowRefused ? error.fault : Promise.reject(error)),
    )

  it('is what the contract logged', async () => {
    const { holdId: id, payer, terms } = told.event
    expect(await read(told)).to.deep.equal({ id, payer, terms })
  })

  it('is refused for each member that is another, and where another contract logged it', async () => {
    const terms = ['order', 'payee', 'amount', 'feeRecipient', 'feeBps', 'fundBy', 'expiry']
    const answers = {
      ...{ chainId: 'chain', status: 'deposit', address: 'deposit' },
      ...{ 'event.holdId': 'deposit', 'event.payer': 'deposit' },
      ...Object.fromEntries(terms.map((name) => [`event.terms.${name}`, 'deposit'])),
      // An index for readers; the terms have it too. How it was opened changes nothing of it.
      ...{ 'event.order': undefined, 'event.adopted': undefined },
    }
    await expectEachMember(told, answers, (telling) => faultOf(telling), { chainId: '0x1', status: '0x0' })
  })
})
