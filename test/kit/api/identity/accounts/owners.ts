import { expect } from 'chai'
import { parseUrn, urnString } from '../../../../../protocol/encoding/urn.ts'
import type { Api } from '../../platform/http/api.ts'

/** An account of a test, and a token of every scope for it. */
export interface Account {
  id: string
  urn: string
  token: string
}

const ALL_SCOPES = ['read', 'transact', 'withdraw', 'manage']

/** A human of their own, made by the operator. */
export async function newHuman(api: Api, displayName = 'Someone'): Promise<Account> {
  const body = { display_name: displayName, email: 'someone@example.com' }
  const reply = await api.send('POST', '/v1/accounts/humans', { token: api.first.operator_token, body })
  expect(reply.status).to.equal(201)
  return withToken(api, 'human', reply.body.urn, api.first.operator_token)
}

/** An agent of a human's. */
export async function newAgent(api: Api, owner: Account, displayName = 'Some agent'): Promise<Account> {
  const body = { owner_urn: owner.urn, display_name: displayName, description: 'Works.' }
  const reply = await api.send('POST', '/v1/accounts/agents', { token: owner.token, body })
  expect(reply.status).to.equal(201)
  return withToken(api, 'agent', reply.body.urn, owner.token)
}

/** The human that set-up makes. */
export function firstHuman(api: Api): Account {
  const { human_urn: urn, human_token: token } = api.first
  return { id: parseUrn('human', urn) ?? '', urn, token }
}

/** Mints a token with these scopes alone. */
export async function mint(api: Api, by: string, ownerUrn: string, scopes: readonly string[]): Promise<string> {
  const reply = await api.send('POST', '/v1/me/tokens', { token: by, body: { owner_urn: ownerUrn, scopes } })
  expect(reply.status, JSON.stringify(reply.body)).to.equal(201)
  return reply.body.secret
}

async function withToken(api: Api, prefix: 'human' | 'agent', urn: { body: string }, by: string): Promise<Account> {
  const text = urnString(prefix, urn.body)
  return { id: urn.body, urn: text, token: await mint(api, by, text, ALL_SCOPES) }
}
