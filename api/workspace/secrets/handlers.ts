import { requireFreshPasskey } from '../../identity/authentication/freshPasskey.ts'
import { serveMember } from '../serveMember.ts'
import { findSpace } from '../spaces/find.ts'
import { findSecret, listSecretRows, toSecret } from './find.ts'
import * as change from './internal/change.ts'
import { readSecretPolicy, setSecretPolicy } from './internal/policy.ts'
import { revealSecret } from './internal/reveal.ts'
import * as routes from './routes.ts'

export const secretHandlers = [
  serveMember(routes.createSecret, async (tx, { member, settings }, { body }) => ({
    status: 201,
    body: toSecret(await change.createSecret(tx, settings, member, body)),
  })),

  serveMember(routes.listSecrets, async (tx, { member }, { query, list }) => {
    const spaceId = query.space === undefined ? undefined : (await findSpace(tx, member, query.space)).id
    return { status: 200, body: await list.read((part) => listSecretRows(tx, member, spaceId, part), toSecret) }
  }),

  serveMember(routes.getSecret, async (tx, { member }, { params }) => ({
    status: 200,
    body: toSecret(await findSecret(tx, member, params.ref)),
  })),

  serveMember(routes.replaceSecretValue, async (tx, { member, settings }, { params, body }) => ({
    status: 200,
    body: toSecret(await change.replaceValue(tx, settings, member, params.ref, body.value)),
  })),

  serveMember(routes.deleteSecret, async (tx, { member }, { params }) => {
    await change.deleteSecret(tx, member, params.ref)
    return { status: 204, body: undefined }
  }),

  serveMember(routes.revealSecret, async (tx, call, { params, body }) => {
    const { actor, member, settings } = call
    // Also if a human's token acts as an agent. An agent's own token asks its human, if the org requires it.
    if (actor.isHuman) requireFreshPasskey(call, { act: 'Revealing a secret' })
    return { status: 200, body: await revealSecret(tx, settings, member, params.ref, body.confirmation) }
  }),

  serveMember(routes.getSecretPolicy, async (tx, { member: { orgId } }) => ({
    status: 200,
    body: await readSecretPolicy(tx, orgId),
  })),

  serveMember(routes.setSecretPolicy, async (tx, { member }, { body }) => ({
    status: 200,
    body: await setSecretPolicy(tx, member, body),
  })),
]
