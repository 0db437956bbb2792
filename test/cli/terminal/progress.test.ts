import { describe, it, mock } from 'node:test'
import { expect } from 'chai'
import { showStep } from '../../../cli/terminal/progress.ts'

describe('a step of a command', () => {
  it('says why it takes long once it does, and nothing of that where it is done at once', async () => {
    const lines: string[] = []
    const writing = mock.method(process.stderr, 'write', (text: string) => lines.push(text) > 0)
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      const { promise, resolve } = Promise.withResolvers<number>()
      const step = showStep('Building', () => promise, 'its sources are new')
      mock.timers.tick(2_999)
      expect(lines.join('')).to.include('Building').and.not.include('its sources are new')
      mock.timers.tick(1)
      expect(lines.join('')).to.include('Building … its sources are new')
      resolve(42)
      expect(await step).to.equal(42)
      await showStep('Starting', async () => {}, 'it loads much')
      mock.timers.tick(10_000)
      expect(lines.join(''))
        .to.match(/✔ Starting/)
        .and.not.include('it loads much')
    } finally {
      mock.timers.reset()
      writing.mock.restore()
    }
  })
})
