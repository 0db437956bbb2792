import { config } from './config/module.ts'
import type { MarketRules } from './context.ts'
import { groundProblems, type ProblemType } from './errors.ts'
import { facilitator } from './facilitator.ts'
import { health } from './health/module.ts'
import { accounts } from './identity/accounts/module.ts'
import { authentication } from './identity/authentication/module.ts'
import { enrolments } from './identity/enrolments/module.ts'
import { erasure } from './identity/erasure/module.ts'
import { exports } from './identity/exports/module.ts'
import { keys } from './identity/keys/module.ts'
import { orgs } from './identity/orgs/module.ts'
import { passkeys } from './identity/passkeys/module.ts'
import { pictures } from './identity/pictures/module.ts'
import { sessions } from './identity/sessions/module.ts'
import { tickets } from './identity/tickets/module.ts'
import { tokens } from './identity/tokens/module.ts'
import { wallets } from './identity/wallets/module.ts'
import type { Module, Perishable } from './module.ts'
import { appealFees } from './payments/appealFees/module.ts'
import { chain } from './payments/chain/module.ts'
import { escrow } from './payments/escrow/module.ts'
import { ledger } from './payments/ledger/module.ts'
import { liabilities } from './payments/liabilities/module.ts'
import { payouts } from './payments/payouts/module.ts'
import { reconciliation } from './payments/reconciliation/module.ts'
import { reserve } from './payments/reserve/module.ts'
import { settlement } from './payments/settlement/module.ts'
import { stops } from './payments/stops/module.ts'
import { audit } from './platform/audit/module.ts'
import { blobs } from './platform/blobs/module.ts'
import type { Section, TableRule } from './platform/db/personalDataRule.ts'
import type { EventTypes } from './platform/events/eventType.ts'
import { events } from './platform/events/module.ts'
import { http } from './platform/http/serve/module.ts'
import { signing } from './platform/signing/module.ts'
import { webhooks } from './platform/webhooks/module.ts'
import { asks } from './trading/asks/module.ts'
import { bids } from './trading/bids/module.ts'
import { criteria } from './trading/criteria/module.ts'
import { deliveries } from './trading/deliveries/module.ts'
import { disputes } from './trading/disputes/record/module.ts'
import { inputs } from './trading/inputs/module.ts'
import { orders } from './trading/orders/record/module.ts'
import { oversight } from './trading/oversight/module.ts'
import { ratings } from './trading/ratings/module.ts'
import { receipts } from './trading/receipts/module.ts'
import { reputation } from './trading/reputation/module.ts'
import { search } from './trading/search/module.ts'
import { threads } from './trading/threads/module.ts'
import { orgAgents } from './workspace/agents/module.ts'
import { attachments } from './workspace/attachments/module.ts'
import { comments } from './workspace/comments/module.ts'
import { confirmations } from './workspace/confirmations/module.ts'
import { decisions } from './workspace/decisions/module.ts'
import { imports } from './workspace/imports/module.ts'
import { mails } from './workspace/mails/module.ts'
import { members } from './workspace/members/module.ts'
import { noticesOf } from './workspace/notifications/kinds.ts'
import { notifications } from './workspace/notifications/module.ts'
import { pages } from './workspace/pages/module.ts'
import { processing } from './workspace/processing/module.ts'
import { workspaceSearch } from './workspace/search/module.ts'
import { secrets } from './workspace/secrets/module.ts'
import { spaces } from './workspace/spaces/module.ts'
import { tasks } from './workspace/tasks/module.ts'
import { uploads } from './workspace/uploads/module.ts'
import { views } from './workspace/views/module.ts'
import { orgWebhooks } from './workspace/webhooks/module.ts'

/** All modules. The tables of each refer only to tables of the same module and of earlier modules. */
const modules = [
  { problems: groundProblems },
  signing,
  blobs,
  http,
  audit,
  events,
  webhooks,
  authentication,
  accounts,
  erasure,
  wallets,
  keys,
  passkeys,
  sessions,
  tokens,
  tickets,
  enrolments,
  orgs,
  pictures,
  exports,
  asks,
  bids,
  orders,
  threads,
  deliveries,
  criteria,
  disputes,
  receipts,
  ratings,
  search,
  inputs,
  chain,
  ledger,
  stops,
  appealFees,
  escrow,
  payouts,
  reserve,
  settlement,
  reconciliation,
  liabilities,
  reputation,
  oversight,
  orgAgents,
  members,
  orgWebhooks,
  mails,
  spaces,
  pages,
  attachments,
  processing,
  uploads,
  imports,
  tasks,
  views,
  comments,
  decisions,
  secrets,
  confirmations,
  notifications,
  workspaceSearch,
  config,
  health,
  facilitator,
] as const satisfies readonly Module[]

declare module './context.ts' {
  interface MarketRules extends Rules {}
}

// The rules of all modules, each under its own name.
type Rules = Intersection<Extract<(typeof modules)[number], { rules: unknown }>['rules']>
type Intersection<Union> = (Union extends unknown ? (of: Union) => void : never) extends (of: infer All) => void
  ? All
  : never

/** Every type of event. */
export const eventTypes: EventTypes = merge('events')

/** Every kind of notification. */
export const noticeKinds: Readonly<Record<string, { title: string }>> = {
  ...noticesOf(eventTypes),
  ...merge('notices'),
}

/** Every type of problem that the service answers with (RFC 9457). */
export const problems: readonly ProblemType[] = all('problems').flatMap((types) => Object.values(types))

/** The limits and durations of the market, as its folders declare them. */
export const marketRules = merge('rules') as unknown as MarketRules

/** The rule of every table, in the order of an erasure: tables that refer to another come before it. */
export const tableRules: readonly [table: string, rule: TableRule][] = all('personalData')
  .toReversed()
  .flatMap(({ tables }) => Object.entries(tables))

/** All data that an account has or was sent, in the order of an export's file. */
export const exportSections: readonly Section[] = all('personalData').flatMap(({ sections = [] }) => sections)

/** All rows that end. */
export const perishable: readonly Perishable[] = all('perishable').flat()

/** The SQL of the modules; each file refers to tables of those before it. */
export const schemaFiles: readonly string[] = all('schema').flat()

function all<Member extends keyof Module>(member: Member): NonNullable<Module[Member]>[] {
  return modules.map((module: Module) => module[member]).filter((its) => its !== undefined)
}

function merge<Member extends 'events' | 'notices' | 'rules'>(member: Member): NonNullable<Module[Member]> {
  return Object.assign({}, ...all(member))
}
