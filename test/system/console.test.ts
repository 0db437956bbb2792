import { after, before, describe } from 'node:test'
import { missingBrowser } from '../console/browser.ts'
import { type ConsoleStack, startConsole } from '../console/console.ts'
import { describeTrade } from '../console/trade.ts'

const missing = missingBrowser()

describe('the console', { timeout: 600_000, ...(missing && !process.env.CI ? { skip: missing } : {}) }, () => {
  let stack: ConsoleStack
  before(async () => {
    stack = await startConsole()
  })
  after(() => stack?.stop())

  describeTrade(() => stack)
})
