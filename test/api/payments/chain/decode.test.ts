import { describe, test } from 'node:test'
import { expect } from 'chai'
import { type Address, encodeAbiParameters, encodeEventTopics, type Hex } from 'viem'
import { decodeEvent, type MinedLog } from '../../../../api/payments/chain/decode.ts'
import { businessKey } from '../../../../api/payments/chain/evidence.ts'
import { escrowAbi } from '../../../../protocol/generated/escrow.ts'
import { tokenAbi } from '../../../../protocol/generated/token.ts'
import { newAddress, newHash, testSettings } from '../../../kit/api/payments/escrow/world.ts'

describe('evidence of a payment', () => {
  const { chain } = testSettings()
  const payer = newAddress()
  const nonce = newHash()
  const place = {
    blockNumber: 7n,
    blockHash: newHash(),
    transactionHash: newHash(),
    transactionIndex: 0,
    removed: false,
  }

  const used = (logIndex: number, authorizer: Address = payer, address: Address = chain.token) =>
    logOf(
      address,
      logIndex,
      encodeEventTopics({ abi: tokenAbi, eventName: 'AuthorizationUsed', args: { authorizer, nonce } }),
    )
  const transfer = (logIndex: number, changes: { to?: Address; amount?: bigint; address?: Address } = {}) => {
    const { to = chain.hotWallet, amount = 5n, address = chain.token } = changes
    const topics = encodeEventTopics({ abi: tokenAbi, eventName: 'Transfer', args: { from: payer, to } })
    return logOf(address, logIndex, topics, encodeAbiParameters([{ type: 'uint256' }], [amount]))
  }
  const logOf = (address: Address, logIndex: number, topics: unknown, data: Hex = '0x') =>
    ({ ...place, address, logIndex, topics, data }) as MinedLog
  const payment = (...logs: MinedLog[]) => decodeEvent(chain, 'payment', logs, 3)

  test('is the use of a nonce, and directly after it a transfer by the same account to us', () => {
    expect(payment(used(2), transfer(3))).to.deep.include({
      kind: 'payment',
      from: payer,
      nonce,
      amountMicros: 5n,
      holdId: null,
    })
  })

  for (const [what, logs] of [
    ['no use before it', [transfer(3)]],
    ["another account's use before it", [used(2, newAddress()), transfer(3)]],
    ["another contract's event before it", [used(2, payer, newAddress()), transfer(3)]],
    ['something between the two', [used(1), transfer(2, { to: newAddress() }), transfer(3)]],
    ['the use behind it', [transfer(3), used(4)]],
    ['another token', [used(2), transfer(3, { address: newAddress() })]],
    ['another recipient', [used(2), transfer(3, { to: newAddress() })]],
    ['itself as the recipient', [used(2), transfer(3, { to: payer })]],
    ['nothing moved', [used(2), transfer(3, { amount: 0n })]],
    ['no log there', [used(2), transfer(4)]],
  ] as const) {
    test(`is not a transfer with ${what}`, () => {
      expect(payment(...logs)).to.equal(undefined)
    })
  }

  test('an event that a node cut off is no fact', () => {
    const topics = encodeEventTopics({ abi: escrowAbi, eventName: 'Funded', args: { holdId: newHash() } })
    for (const data of ['0x', `0x${'00'.repeat(64)}`] as const) {
      const funded = logOf(chain.escrow, 3, topics, data)
      expect(decodeEvent(chain, 'funded', [funded], 3)).to.equal(undefined)
    }
    expect(payment(used(2), { ...transfer(3), data: '0x' })).to.equal(undefined)
  })

  test('a withdrawal is told from others of its account in the transaction, whichever block takes that', () => {
    const withdrawal = (logIndex: number, account = payer, address: Address = chain.escrow) => {
      const topics = encodeEventTopics({ abi: escrowAbi, eventName: 'Withdrawn', args: { account, to: payer } })
      return logOf(address, logIndex, topics, encodeAbiParameters([{ type: 'uint256' }], [5n]))
    }
    const keyOf = (at: number, moved = 0) => {
      const others = [withdrawal(moved + 2, newAddress()), withdrawal(moved + 3, payer, newAddress())]
      const logs = [withdrawal(moved + 1), ...others, transfer(moved + 4), withdrawal(moved + 5)]
      const fact = decodeEvent(chain, 'withdrawn', logs, moved + at)
      return fact && businessKey(fact)
    }
    expect(keyOf(1)).to.equal(`withdrawn:${payer}:${place.transactionHash}:0`)
    expect(keyOf(5)).to.equal(`withdrawn:${payer}:${place.transactionHash}:1`)
    expect(keyOf(5, 7)).to.equal(keyOf(5))
  })

  test('a signed transfer is not taken for an unsigned one, nor the other way round', () => {
    expect(decodeEvent(chain, 'transfer', [used(2), transfer(3)], 3)).to.equal(undefined)
    expect(decodeEvent(chain, 'transfer', [transfer(3)], 3)).to.include({ kind: 'transfer', from: payer })
  })
})
