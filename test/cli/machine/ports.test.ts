import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { freePort, holdFreePort, holdPort, isFree } from '../../../cli/machine/ports.ts'

describe('a port that is held', () => {
  it('is chosen by one of all who look for it at once, and by nobody until it is released', async () => {
    const port = await freePort()
    const tried = await Promise.all(Array.from({ length: 5 }, () => holdPort(port)))
    const [held, ...others] = tried.filter((one) => one !== undefined)
    expect(others).to.deep.equal([])
    expect(held?.port).to.equal(port)
    expect(await isFree(port)).to.equal(false)
    expect(await holdPort(port)).to.equal(undefined)
    await Promise.all([held?.release(), held?.release()])
    expect(await isFree(port)).to.equal(true)
    const free = await holdFreePort()
    expect(await isFree(free.port)).to.equal(false)
    await free.release()
  })
  it('is released while somebody is connected to it, also in the middle of a request', {
    timeout: 10_000,
  }, async () => {
    const held = await holdFreePort()
    const clients = ['', 'GET / HTTP/1.1\r\nHost: loc'].map((sent) => {
      const client = connect(held.port, '127.0.0.1').on('error', () => {})
      client.write(sent)
      return client
    })
    await Promise.all(clients.map((client) => once(client, 'connect')))
    await held.release()
    expect(await isFree(held.port)).to.equal(true)
    for (const client of clients) client.destroy()
  })
})
