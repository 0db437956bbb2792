import { z } from 'zod'
import { bigintVariable, integerVariable, readEnvironment } from '../../protocol/environment/environment.ts'
import { type FeeRate, MAX_FEE_BPS } from '../../protocol/payments/fees.ts'
import type { MarketRules } from '../context.ts'
import { longestOrderSeconds } from '../trading/terms/limits.ts'
import { rulesFor } from './rules.ts'

const FEES = 'FEE_RATES'
// Zero means that there is no floor, or that lost disputes do not count.
const MAY_BE_ZERO: readonly string[] = ['hotWalletFloorMicros', 'minStrayReturnMicros']

type Rule = Exclude<keyof MarketRules, 'fees'>

/** Returns the environment variable of a rule: `maxOrderMicros` is MAX_ORDER_MICROS. */
export function variableOf(rule: string): string {
  return rule.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
}

/**
 * Reads the rules of the market from the environment; a rule that it does not set has its default. Throws an
 * Error that lists the variables that are invalid, and those that contradict each other.
 */
export function readRules(env: NodeJS.ProcessEnv, sandbox: boolean): MarketRules {
  const { fees: defaultFees, ...defaults } = rulesFor(sandbox)
  const entries = Object.entries(defaults) as [Rule, number | bigint][]
  const shape = Object.fromEntries(entries.map(([rule]) => [variableOf(rule), schemaOf(rule).optional()]))
  const read: Record<string, unknown> = readEnvironment(z.object({ ...shape, [FEES]: feeRates.optional() }), env)
  const numbers = Object.fromEntries(entries.map(([rule, value]) => [rule, read[variableOf(rule)] ?? value]))
  // Every rule was read by the type of its default.
  const rules = { ...numbers, fees: read[FEES] ?? defaultFees } as MarketRules
  requireConsistent(rules)
  return rules
}

function schemaOf(rule: Rule): z.ZodType {
  if (rule === 'reputationAlpha') return z.coerce.number().min(0).max(1)
  const isBig = typeof rulesFor(false)[rule] === 'bigint'
  if (!isBig) return integerVariable(1)
  return bigintVariable.refine((value) => value > 0n || MAY_BE_ZERO.includes(rule), 'must be above 0')
}

// "500", or "500,2027-01-01T00:00:00Z=400": the first rate has been in force from the beginning.
const feeRates = z.string().transform((text, context): FeeRate[] => {
  const rates = text.split(',').map((part, place) => readRate(part.trim(), place === 0))
  const instants = rates.map(({ from }) => from.getTime())
  const isInOrder = instants.every((instant, place) => place === 0 || instant > (instants[place - 1] ?? instant))
  const wrong = rates.some(({ from, feeBps }) => Number.isNaN(from.getTime()) || Number.isNaN(feeBps))
  if (wrong || !isInOrder) {
    const message =
      'must be a rate in hundredths of a percent, and after it, in the order of time, <time in UTC>=<rate> for each change'
    context.issues.push({ code: 'custom', input: text, message })
  } else if (rates.some(({ feeBps }) => feeBps > MAX_FEE_BPS)) {
    const message = `has a rate above the contract's cap, ${MAX_FEE_BPS} hundredths of a percent`
    context.issues.push({ code: 'custom', input: text, message })
  }
  return rates
})

function readRate(part: string, isFirst: boolean): FeeRate {
  const [, instant, rate] = /^(?:(\d{4}-\d{2}-\d{2}T[\d:.]+Z)=)?(\d{1,5})$/.exec(part) ?? []
  // The first rate has no instant, and each of the others has one.
  const from = isFirst === (instant === undefined) ? new Date(instant ?? 0) : new Date(Number.NaN)
  return { from, feeBps: Number(rate ?? Number.NaN) }
}

/** Throws an Error that lists the rules that contradict each other. */
function requireConsistent(rules: MarketRules): void {
  const { defaultSlaSeconds: slaSeconds, defaultAutoAcceptSeconds: autoAcceptSeconds } = rules
  const longestSeconds = longestOrderSeconds(rules, { slaSeconds, autoAcceptSeconds })
  const faults: [boolean, string][] = [
    [rules.minOrderMicros > rules.maxOrderMicros, 'MIN_ORDER_MICROS is above MAX_ORDER_MICROS'],
    [rules.minAutoAcceptSeconds > rules.defaultAutoAcceptSeconds, 'MIN_AUTO_ACCEPT_SECONDS is above the default'],
    [rules.defaultAutoAcceptSeconds > rules.maxAutoAcceptSeconds, 'MAX_AUTO_ACCEPT_SECONDS is below the default'],
    [rules.defaultSlaSeconds > rules.maxSlaSeconds, 'MAX_SLA_SECONDS is below DEFAULT_SLA_SECONDS'],
    [rules.defaultBidSeconds > rules.maxBidSeconds, 'MAX_BID_SECONDS is below DEFAULT_BID_SECONDS'],
    [rules.defaultQuoteSeconds > rules.maxBidSeconds, 'MAX_BID_SECONDS is below DEFAULT_QUOTE_SECONDS'],
    // A payout above the daily limit would never be sent, and would block all payouts behind it.
    [rules.dailyPayoutMicros < rules.maxOrderMicros, 'DAILY_PAYOUT_MICROS is below MAX_ORDER_MICROS'],
    [
      longestSeconds > rules.holdSeconds - rules.settlementMarginSeconds,
      'HOLD_SECONDS less SETTLEMENT_MARGIN_SECONDS is shorter than an order with the default windows can take',
    ],
  ]
  const found = faults.flatMap(([isWrong, message]) => (isWrong ? [`  ${message}`] : []))
  if (found.length > 0) throw new Error(`The rules contradict each other:\n${found.join('\n')}`)
}
