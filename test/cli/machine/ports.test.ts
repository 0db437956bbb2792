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
})
