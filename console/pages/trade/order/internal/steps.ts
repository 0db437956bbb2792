import type { OrderBody } from '../record/order.ts'

/** A step of an order's party: a dialog, or the button that starts the work. */
export type Step = 'pay' | 'start' | 'deliver' | 'accept' | 'reject' | 'dispute' | 'cancel' | 'propose' | 'rate' | 'out'

const WRITTEN: readonly Step[] = ['start', 'deliver', 'propose']
const SECONDARY: readonly Step[] = ['cancel', 'propose', 'out']

/** The step of each action that the service allows, the expected step first. */
const STEPS: readonly [OrderBody['may'][number], Step][] = [
  ['fund', 'pay'],
  ['start', 'start'],
  ['deliver', 'deliver'],
  ['dispute', 'dispute'],
  ['accept', 'accept'],
  ['reject', 'reject'],
  ['rate', 'rate'],
  ['cancel', 'cancel'],
  ['propose_scope_change', 'propose'],
  ['propose_cancellation', 'propose'],
  ['propose_remedy', 'propose'],
]

/** The parts of an order that decide on its steps. */
type Stepped = Pick<OrderBody, 'may' | 'sealed' | 'escrow_mode' | 'hold' | 'state'>

/** Returns the steps that the viewer can take now. */
export function stepsOf({ may, sealed, escrow_mode, hold }: Stepped): Step[] {
  const allowed = new Set(STEPS.flatMap(([action, step]) => (may.includes(action) ? [step] : [])))
  // Settling on chain calls the contract, which the service does not decide on.
  if (escrow_mode === 'contract' && hold?.status === 'held') allowed.add('out')
  // Sealed messages are written with keys that no browser has.
  return [...allowed].filter((step) => !(sealed && WRITTEN.includes(step)))
}

/** Returns the step that the viewer is expected to take, if there is one. */
export function expectedStep(order: Stepped): Step | undefined {
  const [first] = stepsOf(order)
  return first === undefined || order.state === 'disputed' || SECONDARY.includes(first) ? undefined : first
}
