import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { bindWallet } from '../../../sdk/wallet.ts'
import {
  accept,
  createParties,
  deliver,
  fund,
  place,
  sign,
  type Trader,
  untilOrder,
  untilSettled,
} from '../../e2e/trading.ts'
import { freeAccount } from '../../kit/chain/payments.ts'
import {
  inspect,
  inspectInBoth,
  missingBrowser,
  openPage,
  type Size,
  type WatchedPage,
} from '../../kit/console/browser.ts'
import { marketOf, type StackSite, startSite } from '../../kit/console/console.ts'
import { addWallet } from '../../kit/console/wallet.ts'
import type { Stack } from '../../kit/stack/stack.ts'
import { until } from '../../kit/until.ts'

const OTHER_CHAIN = 1
const EXPLORER = 'https://explorer.example'
const UNAUTHENTICATED = 'the server responded with a status of 401'

describe('the pages of accounts', { skip: missingBrowser() ?? false, timeout: 180_000 }, () => {
  let site: StackSite
  let stack: Stack
  let browser: Browser
  let receiver: Server
  let answer = 200
  let received = 0
  let seller: Trader
  before(async () => {
    site = await startSite({ env: { EXPLORER_URL: `${EXPLORER}/` } })
    ;({ stack, browser } = site)
    receiver = createServer((request, response) =>
      request.resume().on('end', () => {
        received += 1
        response.writeHead(answer, { 'x-receiver': 'ours' }).end('taken')
      }),
    )
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    seller = await earn(stack)
  })
  after(async () => {
    receiver?.close()
    await site?.stop()
  })

  it('let a person run an agent, and see each of its secrets once', async () => {
    const watched = await signUp('phone')
    const { page } = watched
    await go(page, '/agents')
    await page.getByRole('button', { name: 'Create an agent' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Kestrel')
    await dialog.getByRole('button', { name: 'Create the agent' }).click()
    await page.getByRole('heading', { level: 1, name: 'Kestrel' }).waitFor()
    await page.getByRole('button', { name: 'Mint a token' }).click()
    await dialog.getByLabel('In a day').fill('20.5')
    await page.getByRole('button', { name: 'Mint the token' }).click()
    const secret = (await page.locator('[data-secret]').textContent()) ?? ''
    const answer = await fetch(`${stack.baseUrl}/v1/me`, { headers: { authorization: `Bearer ${secret}` } })
    expect(await answer.json()).to.include({ display_name: 'Kestrel' })
    await inspect(watched, 'agent-secret-phone')
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByText('0.00 of 20.50').waitFor()
    await page.getByRole('button', { name: 'Limit', exact: true }).click()
    await dialog.getByLabel('For one payment').fill('5')
    await inspect(watched, 'agent-limit-phone')
    await dialog.getByRole('button', { name: 'Change the limit' }).click()
    await page.getByText('0.00 of 20.50, each at most 5.00').waitFor()
    await page.getByRole('button', { name: 'Limit', exact: true }).click()
    await dialog.getByRole('button', { name: 'Remove the limit' }).click()
    await page.getByText('0.00, no limit').waitFor()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByRole('button', { name: 'Revoke it' }).click()
    await page.getByText('No tokens yet').waitFor()
    const later = await fetch(`${stack.baseUrl}/v1/me`, { headers: { authorization: `Bearer ${secret}` } })
    expect(later.status).to.equal(401)
    await page.reload()
    await page.getByRole('heading', { name: 'Tokens' }).waitFor()
    expect(await page.locator('[data-secret]').count()).to.equal(0)

    await go(page, '/asks')
    await page.getByRole('button', { name: 'Offer something…' }).click()
    await dialog.getByLabel('Title').fill('Verse')
    await dialog.getByLabel('Description').fill('Forty-two lines.')
    await dialog.getByLabel('Price').fill('20')
    const hours = dialog.getByLabel('Delivered within')
    await hours.fill('99999999')
    await dialog.getByRole('button', { name: 'Offer it' }).click()
    await dialog.locator('[aria-invalid=true]').and(hours).and(page.locator(':focus')).waitFor()
    expect(await dialog.getByRole('alert').count(), 'the error stands at its field alone').to.equal(1)
    await inspect(watched, 'ask-refused-phone')
    await hours.fill('24')
    await dialog.getByRole('button', { name: 'Offer it' }).click()
    await dialog.waitFor({ state: 'detached' })
    const refused = watched.messages.findIndex((message) => message.includes('status of 400'))
    watched.messages.splice(refused, 1)
    await end(watched)
  })

  it('bind a wallet by a text that is shown before it is signed, and withdraw its credit at the contract', async () => {
    const watched = await openPage(browser, 'desktop')
    const { account } = seller
    const options = { rpcUrl: stack.rpcUrl, chainId: OTHER_CHAIN, account }
    const wallet = await addWallet(watched.context, options)
    const fresh = await addWalletTo('desktop')
    await bind(fresh)
    const { page } = await signUpOn(watched)
    await go(page, '/wallets')
    const credit = page.getByRole('region', { name: 'Withdraw from the escrow contract' })
    await credit.getByRole('button', { name: 'Connect Test Wallet' }).click()
    await credit.getByText('19.00').waitFor()
    expect(wallet.asked).to.include('wallet_switchEthereumChain')
    await page.getByText('withdraw()').waitFor()
    await inspect(watched, 'wallets-withdraw-desktop')
    wallet.answers = 'no'
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await page.getByText('You refused it in your wallet').waitFor()
    expect((await moneyOf(account.address)).credit).to.equal(19_000_000n)
    wallet.answers = 'yes'
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await page.getByText('Withdrawn in block').waitFor()
    const transaction = page.getByRole('link', { name: /^0x/ }).last()
    expect(await transaction.getAttribute('href')).to.match(/^https:\/\/explorer\.example\/tx\/0x[0-9a-f]{64}$/)
    expect((await moneyOf(account.address)).credit).to.equal(0n)
    await end(watched)
  })

  it('tell of a webhook what its receiver answered', async () => {
    const watched = await signUp('desktop')
    const { page } = watched
    await go(page, '/webhooks')
    await page.getByRole('button', { name: 'Create a webhook' }).click()
    await page.getByLabel('Address').fill(hooksUrl())
    await page.getByLabel(/^All events/).uncheck()
    await page.getByText('order', { exact: true }).click()
    await page.getByLabel('order.* all of them').check()
    await page.getByText('receipt', { exact: true }).click()
    await page.getByLabel(/^receipt\.finalized/).check()
    await inspectInBoth(watched, 'webhook-types-desktop')
    await page.getByRole('button', { name: 'Create the webhook' }).click()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByRole('link', { name: '/hooks' }).click()
    await page.getByText('order.*, receipt.finalized').waitFor()
    const before = received
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByRole('img', { name: '1 attempt, none failed' }).waitFor()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByRole('img', { name: '2 attempts, none failed' }).waitFor()
    await inspectInBoth(watched, 'webhook-desktop')
    await page.getByRole('button', { name: 'webhook.test' }).first().click()
    await page.getByText('taken').waitFor()
    await page.getByText('x-receiver: ours').waitFor()
    await inspectInBoth(watched, 'webhook-delivery-desktop')
    await page.keyboard.press('Escape')
    await page.getByLabel('Select all listed').check()
    await page.getByRole('button', { name: 'Resend 2' }).click()
    await until('both are received again', () => received === before + 4)
    await page.getByRole('button', { name: 'Change the events…' }).click()
    await page.getByLabel(/^All events/).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Events*').waitFor()
    await go(page, '/operate')
    await page.getByText('Only operators of the market').waitFor()
    await end(watched)
  })

  it('keep the passkeys, sessions and data of a person in their own hands, up to the end', async () => {
    const watched = await signUp('phone')
    const { page } = watched
    await watched.changeDevice()
    await go(page, '/account')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Blue key')
    await inspect(watched, 'account-passkey-phone')
    await page.getByRole('button', { name: 'Make the passkey' }).click()
    await page.getByRole('button', { name: 'Rename Blue key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Green key')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await page.getByRole('button', { name: 'Remove Green key' }).waitFor()
    // The session that began with the removed passkey ends with it.
    await page.getByRole('button', { name: 'Remove Passkey' }).click()
    await page.getByRole('button', { name: 'Remove this passkey' }).click()
    await page.getByText('Your session has ended').waitFor()
    await inspect(watched, 'session-over-phone')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('Green key · this browser').waitFor()
    await watched.context.clearCookies()
    await page.reload()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('button', { name: 'End', exact: true }).click()
    await page.getByRole('button', { name: 'End', exact: true }).waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Request a copy' }).click()
    const downloads = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const copy = JSON.parse(await readFile(await (await downloads).path(), 'utf8'))
    expect(JSON.stringify(copy)).to.include('Green key')
    await inspect(watched, 'account-export-phone')

    const requestErasure = async () => {
      await page.getByRole('button', { name: 'Erase…' }).click()
      const erase = page.getByRole('button', { name: 'Erase it for good' })
      expect(await erase.isDisabled()).to.equal(true)
      await page.getByLabel('Type Ada to confirm').fill('Ada')
      await inspect(watched, 'account-erase-phone')
      await erase.click()
      await page.getByText('unless you cancel it').waitFor()
    }
    // A sandbox has no delay: only a worker that does not run leaves time to cancel.
    await stack.kill('worker')
    await requestErasure()
    await inspect(watched, 'account-erasure-phone')
    await page.getByRole('button', { name: 'Cancel the erasure' }).click()
    await requestErasure()
    await stack.restart('worker')
    const isGone = async () => (await page.request.get(`${stack.baseUrl}/v1/me`)).status() === 401
    await until('the worker has erased the account', isGone)
    // A page that was open only says that its session has ended.
    await page.reload()
    await page.getByRole('heading', { level: 2, name: 'New here' }).waitFor()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').waitFor()
    await end(watched)
  })

  it('change the wallet that a person is paid to in 48 hours, and send again what a receiver refused', async () => {
    const market = marketOf(site, stack.credentials.human_token)
    await bindWallet(market, freeAccount(0))
    const { body: webhook } = await market.call('createWebhook', {
      body: { url: hooksUrl(), event_types: ['order.placed'] },
    })
    const params = { urn: urnString('webhook', webhook.subscription.urn.body) }
    answer = 400
    await market.call('testWebhook', { params })
    const watched = await openPage(browser, 'phone')
    const others = [freeAccount(0)]
    const wallet = await addWallet(watched.context, { rpcUrl: stack.rpcUrl, chainId: stack.chain.chainId, others })
    const { page } = watched
    await page.goto(site.links.human)
    await page.getByRole('button', { name: 'Make a passkey' }).click()
    await page.locator('#page').waitFor()
    await go(page, '/wallets')
    await page.getByRole('button', { name: 'Connect Test Wallet' }).first().click()
    await page.getByRole('button', { name: 'Sign with the wallet' }).click()
    await page.getByRole('button', { name: 'Pay here', exact: true }).click()
    await inspect(watched, 'wallets-choose-phone')
    await page.getByRole('button', { name: 'Pay here in 48 h' }).click()
    await page.getByText('(in 1 day)').or(page.getByText('(in 2 days)')).waitFor()
    await page.getByRole('dialog', { name: 'Hand over to the new wallet' }).waitFor()
    await inspect(watched, 'wallets-hand-over-phone')
    await page.getByRole('button', { name: 'Sign with both wallets' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(wallet.asked.filter((method) => method === 'eth_signTypedData_v4')).to.have.length(2)
    await inspect(watched, 'wallets-pending-phone')

    await go(page, `/webhooks/${webhook.subscription.urn.body}`)
    await page.getByText('given up').waitFor()
    answer = 200
    await page.getByRole('button', { name: 'Recover…' }).click()
    await page.getByLabel('Since').fill('2026-01-01T00:00')
    await page.getByRole('button', { name: 'Recover', exact: true }).click()
    await page.getByText('One delivery is on its way again.').waitFor()
    await inspect(watched, 'webhook-recover-phone')
    await page.keyboard.press('Escape')
    await page.getByText('delivered').waitFor()
    await end(watched)
  })

  function hooksUrl(): string {
    return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
  }

  async function go(page: Page, path: string): Promise<void> {
    await page.goto(`${stack.baseUrl}/console${path}`)
  }

  async function addWalletTo(size: Size) {
    const watched = await openPage(browser, size)
    const wallet = await addWallet(watched.context, { rpcUrl: stack.rpcUrl, chainId: stack.chain.chainId })
    return { watched, wallet }
  }

  async function bind({ watched, wallet }: Awaited<ReturnType<typeof addWalletTo>>): Promise<void> {
    const { page } = await signUpOn(watched)
    await go(page, '/wallets')
    await page.getByRole('button', { name: 'Connect Test Wallet' }).first().click()
    const text = (await page.locator('[data-signed]').textContent()) ?? ''
    expect(text).to.include(wallet.address)
    await inspect(watched, 'wallets-bind-desktop')
    await page.getByRole('button', { name: 'Sign with the wallet' }).click()
    await page.getByRole('table', { name: 'Bound wallets' }).waitFor()
    await end(watched)
  }

  async function signUp(size: Size): Promise<WatchedPage> {
    return signUpOn(await openPage(browser, size))
  }

  async function signUpOn(watched: WatchedPage): Promise<WatchedPage> {
    const { page } = watched
    await go(page, '/sign-in')
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('E-mail').fill(`${crypto.randomUUID()}@market.invalid`)
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.locator('#page').waitFor()
    return watched
  }

  async function moneyOf(address: `0x${string}`) {
    const { escrowAbi } = await import('../../../protocol/generated/escrow.ts')
    const call = { address: stack.chain.escrow, abi: escrowAbi, functionName: 'claimable', args: [address] } as const
    return { credit: await stack.chain.client.readContract(call) }
  }
})

/** Has a seller earn 19.00 that the contract keeps for its wallet. */
async function earn(stack: Stack): Promise<Trader> {
  const { buyer, seller } = await createParties(stack)
  const { urn, offer } = await place({ buyer, seller }, { mode: 'contract' })
  await fund(buyer, urn, await sign(stack, offer, buyer.account))
  await deliver(seller, await untilOrder(seller, urn, 'funded'))
  await untilOrder(buyer, urn, 'delivered')
  await accept(buyer, urn)
  await untilSettled(buyer, urn)
  return seller
}

/** Checks that the console has said nothing but that nobody was signed in yet. */
async function end({ messages, context }: WatchedPage): Promise<void> {
  expect(messages.filter((message) => !message.includes(UNAUTHENTICATED))).to.deep.equal([])
  await context.close()
}
