import { expect } from 'chai'
import { sql } from 'kysely'
import type { OrgRole } from '../../../../api/platform/db/generated/tables.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { type Account, newHuman } from '../identity/accounts/owners.ts'
import type { Workspace } from './world.ts'

/** An event of the workspace, as members read it. */
export interface WorkspaceEvent {
  event_type: string
  payload: { entity_id: string; entity_type: string; space_id: string | null; data: Record<string, unknown> }
}

/** Invites a human as Ada, and returns the org's URN. */
export async function invite({ api, ada, slug }: Workspace, guest: Account, role = 'member'): Promise<string> {
  const { body } = await api.send('GET', '/v1/me/orgs?limit=100', { token: ada.token })
  const orgs = body.orgs as { slug: string; urn: { body: string } }[]
  const org = urnString('org', orgs.find((one) => one.slug === slug)?.urn.body ?? '')
  const invited = { token: ada.token, body: { human_urn: guest.urn, role } }
  expect((await api.send('POST', `/v1/me/orgs/${org}/invitations`, invited)).status).to.equal(201)
  return org
}

/** Brings a human into the org, as Ada's guest, and returns the org's URN. */
export async function join(world: Workspace, guest: Account, role = 'member'): Promise<string> {
  const org = await invite(world, guest, role)
  expect((await world.api.send('POST', `/v1/me/orgs/${org}/join`, { token: guest.token })).status).to.equal(200)
  return org
}

/** Makes a human who is a member of the org, of which nobody is told. */
export async function newMember({ api, slug }: Workspace, name: string, role: OrgRole = 'member'): Promise<Account> {
  const human = await newHuman(api, name)
  await sql`insert into market.org_members (org_id, human_id, role)
    select id, ${human.id}, ${role} from market.orgs where slug = ${slug}`.execute(api.db)
  return human
}

/** Returns the events of some types that a member of the org sees, oldest first. */
export async function eventsOf(world: Workspace, subjects: string, by = world.ada): Promise<WorkspaceEvent[]> {
  const { body } = await world.api.send('GET', `/v1/events?limit=100&subjects=${subjects}`, { token: by.token })
  return body.events as WorkspaceEvent[]
}
