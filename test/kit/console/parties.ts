import pg from 'pg'
import type { Page } from 'playwright-core'
import { parseUrn, urnString } from '../../../protocol/encoding/urn.ts'
import {
  createParties,
  fund,
  type Mode,
  type Parties,
  place,
  sign,
  type Trader,
  untilOrder,
  type Wanted,
} from '../../e2e/trading.ts'
import type { Size, WatchedPage } from './browser.ts'
import { enrol, marketOf, type StackSite, startSite } from './console.ts'
import { addWallet, type TestWallet } from './wallet.ts'

/** How long a browser may take to show what the chain has to confirm. */
export const ON_CHAIN_MS = 30_000

/** The two parties of orders, each before a console of their own with the wallet of their agent. */
export interface SeatedParties {
  site: StackSite
  parties: Parties
  buyer: WatchedPage
  seller: WatchedPage
  /** Lets the owner of an agent in, with the agent's wallet. */
  enter: (trader: Trader, size: Size) => Promise<WatchedPage>
  walletOf: (watched: WatchedPage) => TestWallet
  /** Opens the page of an order before both. */
  openBoth: (order: string) => Promise<void>
  /** An order that is paid. */
  funded: (mode: Mode, wanted?: Pick<Wanted, 'criteria'>) => Promise<string>
  /**
   * Returns who signed how the payment of an order is distributed, each with what goes back, in micro-units.
   */
  settlementsOf: (order: string) => Promise<string[]>
}

/**
 * Starts a site, and lets the parties in. The buyer sits before a wide screen, the seller before a narrow
 * one.
 */
export async function seatParties(): Promise<SeatedParties> {
  // Longer than the parties take here.
  const site = await startSite({ env: { DISPUTE_EVIDENCE_SECONDS: '600', LIABILITY_SECONDS: '1' } })
  const parties = await createParties(site.stack)
  const wallets = new Map<WatchedPage, TestWallet>()
  const enter = async ({ human, account }: Trader, size: Size) => {
    const { body: me } = await human.call('getMe', {})
    const operator = marketOf(site, site.stack.credentials.operator_token)
    const params = { urn: urnString('human', me.urn.body) }
    const { body } = await operator.call('issueEnrolment', { params })
    const watched = await enrol(site, size, `${site.sandbox.console_url}/enrol#${body.enrolment}`)
    const { rpcUrl, chain } = site.stack
    wallets.set(watched, await addWallet(watched.context, { rpcUrl, chainId: chain.chainId, account }))
    return watched
  }
  const [buyer, seller] = await Promise.all([enter(parties.buyer, 'desktop'), enter(parties.seller, 'phone')])
  return {
    ...{ site, parties, buyer, seller, enter },
    walletOf: (watched) => {
      const wallet = wallets.get(watched)
      if (!wallet) throw new Error('no wallet is in that browser')
      return wallet
    },
    openBoth: async (order) => {
      const address = `${site.sandbox.console_url}/orders/${parseUrn('order', order)}`
      await Promise.all([buyer, seller].map(({ page }) => page.goto(address)))
    },
    funded: async (mode, wanted) => {
      const { urn: order, offer } = await place(parties, { mode, ...wanted })
      await fund(parties.buyer, order, await sign(site.stack, offer, parties.buyer.account))
      await untilOrder(parties.buyer, order, 'funded')
      return order
    },
    settlementsOf: (order) => settlementsOf(site, order),
  }
}

async function settlementsOf(site: StackSite, order: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: site.stack.databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ party: string; refund: string }>(
      'select party, refund_micros::text as refund from market.settlement_approvals where order_id = $1 order by party',
      [parseUrn('order', order)],
    )
    return rows.map(({ party, refund }) => `${party} ${refund}`)
  } finally {
    await client.end()
  }
}

/** Presses a button. */
export async function step(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
}

/** Accepts the delivery of the order that a page shows, after its question. */
export async function acceptOn(page: Page): Promise<void> {
  await step(page, 'Accept…')
  await page.getByRole('button', { name: /^Accept and pay \d/ }).click()
}

/** An amount as pages show it. */
export function twoDigits(amount: string): string {
  return Number(amount).toFixed(2)
}
