import { type ClientRequest, get, request } from 'node:http'
import { before, describe, it } from 'node:test'
import { expect } from 'chai'
import { createTestClient, http, publicActions } from 'viem'
import { isAlive } from '../../../../cli/machine/alive.ts'
import { type LentChain, lendChains } from '../../../../cli/tools/tests/chains.ts'
import { until } from '../../../kit/until.ts'

/** A chain that was lent, and the connection it is lent for. */
interface Lease extends LentChain {
  connection: ClientRequest
}

describe('the chains of a test run', () => {
  let lender: string

  before(async () => {
    lender = await lendChains()
  })

  const borrow = (): Promise<Lease> => {
    const { promise, resolve, reject } = Promise.withResolvers<Lease>()
    const connection = get(lender, { agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        if (text.endsWith('\n')) resolve({ ...JSON.parse(text), connection })
      })
    })
    connection.once('error', reject)
    // Ended by the test.
    connection.on('error', () => {})
    return promise
  }
  const giveBack = ({ pid }: Lease) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    request(`${lender}/${pid}`, { method: 'POST' }, (response) => response.resume().once('end', resolve))
      .once('error', reject)
      .end()
    return promise
  }
  const clientOf = ({ rpcUrl }: Lease) =>
    createTestClient({ mode: 'hardhat', transport: http(rpcUrl), cacheTime: 0 }).extend(publicActions)

  it('are lent to one at a time, and come back as they were', async () => {
    const first = await borrow()
    const client = clientOf(first)
    const before = await client.getBlockNumber()
    await client.increaseTime({ seconds: 86_400 })
    await client.mine({ blocks: 10 })
    const other = await borrow()
    expect(other.pid).to.not.equal(first.pid)
    await giveBack(first)
    first.connection.destroy()
    const again = await borrow()
    expect(again.pid).to.equal(first.pid)
    const { number, timestamp } = await clientOf(again).getBlock()
    expect(number).to.equal(before)
    expect(Number(timestamp)).to.be.closeTo(Date.now() / 1_000, 60)
    for (const lease of [other, again]) {
      await giveBack(lease)
      lease.connection.destroy()
    }
  })

  it("outlive the connection of whoever has given one back, in the next one's hands", async () => {
    const former = await borrow()
    await giveBack(former)
    const next = await borrow()
    expect(next.pid).to.equal(former.pid)
    former.connection.destroy()
    // The lender hears of the end of a connection before it answers the next one.
    const third = await borrow()
    expect(isAlive(next.pid)).to.equal(true)
    expect(await clientOf(next).getChainId()).to.equal(31_337)
    for (const lease of [next, third]) await giveBack(lease)
    for (const lease of [next, third]) lease.connection.destroy()
  })

  it('end with a borrower who dies', async () => {
    const lease = await borrow()
    lease.connection.destroy()
    await until('it has ended', () => !isAlive(lease.pid))
    const next = await borrow()
    expect(next.pid).to.not.equal(lease.pid)
    next.connection.destroy()
  })
})
