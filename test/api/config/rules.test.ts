import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { keepFeeRates } from '../../../api/config/feeRates.ts'
import { publishedRules } from '../../../api/config/publicConfig.ts'
import { readRules, variableOf } from '../../../api/config/readRules.ts'
import { rulesFor } from '../../../api/config/rules.ts'
import { type Api, startApi } from '../../kit/api/platform/http/api.ts'

const { fees: _, ...defaults } = rulesFor(false)
const members = Object.entries(defaults)

/** A value that differs from a rule's default and goes with the defaults of the others. */
function another(rule: string, value: number | bigint): string {
  if (rule === 'reputationAlpha') return '0.5'
  const isRaised = /^(max|hold|daily|session|rejection|default)/.test(rule) || value === 0n || value === 1
  return String(isRaised ? BigInt(value) + 1n : BigInt(value) - 1n)
}

describe('the rules of the market', () => {
  for (const [rule, value] of members) {
    it(`${rule} is set by ${variableOf(rule)}, and published as it is set [spec 8:15]`, () => {
      const set = another(rule, value)
      const rules = readRules({ [variableOf(rule)]: set }, false)
      expect(String(rules[rule as keyof typeof rules])).to.equal(set)
      expect({ ...rules, [rule]: value }).to.deep.equal(rulesFor(false))
      expect(publishedRules(rules, 500)).to.not.deep.equal(publishedRules(rulesFor(false), 500))
    })
  }

  it('are what design says where nothing is set, and looser in a sandbox [spec 8:15]', () => {
    expect(readRules({}, false)).to.deep.equal(rulesFor(false))
    expect(readRules({}, true)).to.deep.equal(rulesFor(true))
    expect(readRules({}, true).disputeEvidenceSeconds).to.equal(600)
    expect(readRules({ DISPUTE_EVIDENCE_SECONDS: '30' }, true).disputeEvidenceSeconds).to.equal(30)
    expect(readRules({ MAX_SLA_SECONDS: '' }, false)).to.deep.equal(rulesFor(false))
  })

  it('are all in the page about them, with their defaults', async () => {
    const page = await readFile(new URL('../../../docs/operate/rules.md', import.meta.url), 'utf8')
    for (const [rule, value] of members) expect(page).to.match(new RegExp(`^${variableOf(rule)}=${value}(?: |$)`, 'm'))
    expect(page).to.include('`FEE_RATES`')
  })

  const refusals: [Record<string, string>, string][] = [
    [{ MAX_DELIVERIES: '0' }, 'MAX_DELIVERIES'],
    [{ MAX_ORDER_MICROS: '10.5' }, 'MAX_ORDER_MICROS'],
    [{ MIN_ORDER_MICROS: '0' }, 'MIN_ORDER_MICROS'],
    [{ REPUTATION_ALPHA: '1.1' }, 'REPUTATION_ALPHA'],
    [{ MIN_ORDER_MICROS: '20000000000' }, 'MIN_ORDER_MICROS is above'],
    [{ DEFAULT_AUTO_ACCEPT_SECONDS: '60' }, 'MIN_AUTO_ACCEPT_SECONDS is above'],
    [{ DEFAULT_SLA_SECONDS: '99999999' }, 'MAX_SLA_SECONDS is below'],
    [{ DAILY_PAYOUT_MICROS: '1' }, 'DAILY_PAYOUT_MICROS is below'],
    [{ HOLD_SECONDS: '2592000' }, 'HOLD_SECONDS less'],
    [{ FEE_RATES: 'five' }, 'FEE_RATES: must be'],
    [{ FEE_RATES: '500,400' }, 'FEE_RATES: must be'],
    [{ FEE_RATES: '2026-01-01T00:00:00Z=500' }, 'FEE_RATES: must be'],
    [{ FEE_RATES: '500,2027-01-01T00:00:00Z=400,2026-01-01T00:00:00Z=300' }, 'FEE_RATES: must be'],
    [{ FEE_RATES: '1001' }, "above the contract's cap, 1000"],
    [{ FEE_RATES: '500,2027-01-01T00:00:00Z=1001' }, "above the contract's cap, 1000"],
  ]
  for (const [env, message] of refusals) {
    it(`are refused at start: ${JSON.stringify(env)}`, () => {
      expect(() => readRules(env, false)).to.throw(message)
    })
  }
})

describe('the fee rates', () => {
  let api: Api
  before(async () => {
    api = await startApi()
  })
  after(() => api.stop())

  const keep = (text: string) =>
    api.db.transaction().execute((tx) => keepFeeRates(tx, readRules({ FEE_RATES: text }, true).fees))
  const refused = async (text: string) => {
    const error = await keep(text).catch((caught: Error) => caught)
    expect(String(error)).to.include('FEE_RATES differs about the past')
  }

  it('of the past stay as they were, and an announced one can change until it is in force', async () => {
    await keep('500,2020-01-01T00:00:00Z=400,2100-01-01T00:00:00Z=300')
    await keep('500,2020-01-01T00:00:00Z=400,2100-01-01T00:00:00Z=200')
    await keep('500,2020-01-01T00:00:00Z=400')
    await refused('500')
    await refused('600,2020-01-01T00:00:00Z=400')
    await refused('500,2020-01-01T00:00:00Z=300')
    await refused('500,2020-01-01T00:00:00Z=400,2021-01-01T00:00:00Z=300')
    await Promise.all([keep('500,2020-01-01T00:00:00Z=400'), keep('500,2020-01-01T00:00:00Z=400')])
  })
})
