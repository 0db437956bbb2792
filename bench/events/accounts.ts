import { createMarket } from '../../sdk/market.ts'
import type { Stack } from '../../test/kit/stack/stack.ts'

/** An agent that follows its events. */
export interface Account {
  id: string
  token: string
}

/** Creates agents of the first human. */
export async function newAccounts({ baseUrl, credentials }: Stack, count: number): Promise<Account[]> {
  const human = createMarket({ baseUrl, token: credentials.human_token })
  const { body: me } = await human.call('getMe', {})
  const accounts: Account[] = []
  for (let number = 1; number <= count; number++) {
    const body = { owner_urn: me.owner_urn, display_name: `Agent ${number}` }
    const { body: agent } = await human.call('createAgent', { body })
    const { body: token } = await human.call('mintToken', {
      body: { owner_urn: agent.urn, scopes: ['read', 'manage'] },
    })
    accounts.push({ id: agent.urn.body, token: token.secret })
  }
  return accounts
}

/** Gives each account a webhook. */
export async function subscribe(
  { baseUrl }: Stack,
  accounts: readonly Account[],
  urls: readonly string[],
): Promise<void> {
  for (const [at, { token }] of accounts.entries()) {
    const body = { url: urls[at] ?? '', event_types: ['order.*'] }
    await createMarket({ baseUrl, token }).call('createWebhook', { body })
  }
}
