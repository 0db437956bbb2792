import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import type { Address } from 'viem'
import { ROOT } from '../../cli/machine/paths.ts'
import { appealFeeNonce, appealKey, custodiedNonce } from '../../protocol/payments/nonces.ts'
import { orderKey, termsHash } from '../../protocol/payments/terms.ts'

interface Example {
  type: string
  members: Record<string, string | number>
  nonce: string
}

const page = readFileSync(`${ROOT}docs/x402.md`, 'utf8')
const examples: Example[] = JSON.parse(/```json\n(\[.*?\n\])\n```/s.exec(page)?.[1] ?? '[]')
const hasPython = spawnSync('python3', ['--version']).status === 0

describe('the nonces of docs/x402.md', () => {
  it('are recomputed in another language from that page alone', {
    skip: hasPython ? false : 'python3 is not installed',
  }, () => {
    const { stdout, stderr } = spawnSync('python3', [`${ROOT}test/docs/nonces.py`], { input: page, encoding: 'utf8' })
    expect(JSON.parse(stdout || 'null'), stderr).to.deep.equal(examples.map(({ nonce }) => nonce))
  })

  it('are those that the SDK signs', () => {
    expect(examples.map(({ nonce }) => nonce)).to.deep.equal(examples.map(ours))
  })
})

/** The nonce of an example by our own functions. */
function ours({ type, members }: Example): string {
  const text = (name: string) => String(members[name])
  const address = (name: string) => text(name) as Address
  const ids = (name: string) => text(name).match(/[0-9a-f-]{36}/g) ?? []
  const [chainId, amount] = [Number(members.chainId), BigInt(members.amount ?? 0)]
  const [id = '', appellantId = ''] = ids(type.startsWith('AppealFee(') ? 'appeal' : 'order')
  const wallet = (name: string) => ({ chainId, token: address('token'), hotWallet: address(name) })
  if (type.startsWith('AppealFee('))
    return appealFeeNonce(wallet('hotWallet'), appealKey({ disputeId: id, appellantId }), amount)
  if (type.startsWith('Custodied(')) {
    const [[agentId = ''], [ownerId = '']] = [ids('seller'), ids('owner')]
    return custodiedNonce(wallet('recipient'), { orderId: id, agentId, ownerId }, amount)
  }
  return termsHash(
    { chainId, escrow: address('escrow'), token: address('token') },
    {
      order: orderKey(id),
      ...{ payee: address('payee'), feeRecipient: address('feeRecipient'), amount },
      ...{ feeBps: Number(members.feeBps), fundBy: Number(members.fundBy), expiry: Number(members.expiry) },
    },
  )
}
