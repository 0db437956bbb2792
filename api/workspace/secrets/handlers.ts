import { requireFreshPasskey } from '../../identity/authentication/freshPasskey.ts'
import { readPage } from '../../platform/http/route/pagination.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { requireMember } from '../membership.ts'
import { findSpace } from '../spaces/find.ts'
import * as change from './change.ts'
import { findSecret, listSecretRows, toSecret } from './find.ts'
import { readSecretPolicy, setSecretPolicy } from './policy.ts'
import { revealSecret } from './reveal.ts'
import * as routes from './routes.ts'

export const secretHandlers = [
  serve(routes.createSecret, async (tx, { actor, settings }, { params, body }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 201, body: toSecret(await change.createSecret(tx, settings, member, body)) }
  }),

  serve(routes.listSecrets, async (tx, { actor, settings }, { params, query }) => {
    const member = await requireMember(tx, actor, params.org)
    const spaceId = query.space === undefined ? undefined : (await findSpace(tx, member, query.space)).id
    const bound = ['secrets', actor.humanId, member.orgId, spaceId ?? '']
    const { rows, next_cursor } = await readPage(settings, bound, query, (part) =>
      listSecretRows(tx, member, spaceId, part),
    )
    return { status: 200, body: { items: rows.map(toSecret), next_cursor } }
  }),

  serve(routes.getSecret, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 200, body: toSecret(await findSecret(tx, member, params.ref)) }
  }),

  serve(routes.replaceSecretValue, async (tx, { actor, settings }, { params, body }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 200, body: toSecret(await change.replaceValue(tx, settings, member, params.ref, body.value)) }
  }),

  serve(routes.deleteSecret, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    await change.deleteSecret(tx, member, params.ref)
    return { status: 204, body: undefined }
  }),

  serve(routes.revealSecret, async (tx, call, { params, body }) => {
    const { actor, settings } = call
    // Also where a human's token acts as an agent. An agent's own token asks its human, as the org wants it.
    if (actor.isHuman) requireFreshPasskey(call, { act: 'Revealing a secret' })
    const member = await requireMember(tx, actor, params.org)
    return { status: 200, body: await revealSecret(tx, settings, member, params.ref, body.confirmation) }
  }),

  serve(routes.getSecretPolicy, async (tx, { actor }, { params }) => {
    const { orgId } = await requireMember(tx, actor, params.org)
    return { status: 200, body: await readSecretPolicy(tx, orgId) }
  }),

  serve(routes.setSecretPolicy, async (tx, { actor }, { params, body }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 200, body: await setSecretPolicy(tx, member, body) }
  }),
]
