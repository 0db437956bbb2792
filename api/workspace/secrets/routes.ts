import { z } from '@hono/zod-openapi'
import { defineRoute } from '../../platform/http/route/route.ts'
import { nameText, pageQuery, text, timestampText } from '../../platform/http/route/schemas.ts'
import { authorText, identity, orgParam, pageOf, readsWorkspace, refSchema, writesWorkspace } from '../schemas.ts'

const NAME_CHARACTERS = 100
const VALUE_CHARACTERS = 16_384

const params = z.object({ org: orgParam })
const secretParams = z.object({ org: orgParam, ref: refSchema('secret') })
const value = text(VALUE_CHARACTERS).refine((given) => given.isWellFormed(), 'must be well-formed Unicode')

const item = z.object({
  ...identity,
  space_id: z.uuid().nullable().openapi({ description: 'Its space; null for one of the whole org.' }),
  name: z.string(),
  version: z.int().openapi({ description: 'How often it was given a value.' }),
  created_by: authorText,
  created_at: timestampText,
  updated_by: authorText,
  updated_at: timestampText,
})
const secret = item.openapi('Secret')
const revealed = item.extend({ value: z.string() }).openapi('RevealedSecret')
const policy = z
  .object({
    agents_ask: z
      .boolean()
      .openapi({ description: 'A secret is revealed to an agent once its human has confirmed it.' }),
  })
  .openapi('SecretPolicy')

export const createSecret = defineRoute({
  operationId: 'createSecret',
  method: 'post',
  path: '/orgs/{org}/secrets',
  group: { name: 'secrets', about: 'Workspace: values that members and their agents need, and nobody else may know.' },
  summary: 'Keep a value under a name, for a space or for the whole org',
  isWorkspace: true,
  access: writesWorkspace,
  isBodySecret: true,
  params,
  body: z.object({ space: refSchema('space').optional(), name: nameText(NAME_CHARACTERS), value }),
  answers: { 201: { description: 'The secret, without its value.', schema: secret } },
  problems: ['workspace/secret-exists'],
})

export const listSecrets = defineRoute({
  operationId: 'listSecrets',
  method: 'get',
  path: '/orgs/{org}/secrets',
  summary: 'List the secrets that you see, newest first, without their values',
  isWorkspace: true,
  access: readsWorkspace,
  params,
  query: z.object({ ...pageQuery(200, 50), space: refSchema('space').optional() }),
  answers: { 200: { description: 'A page of secrets.', schema: pageOf(secret) } },
})

export const getSecret = defineRoute({
  operationId: 'getSecret',
  method: 'get',
  path: '/orgs/{org}/secrets/{ref}',
  summary: 'Read what is known of a secret, without its value',
  isWorkspace: true,
  access: readsWorkspace,
  params: secretParams,
  answers: { 200: { description: 'The secret, without its value.', schema: secret } },
})

export const replaceSecretValue = defineRoute({
  operationId: 'replaceSecretValue',
  method: 'put',
  path: '/orgs/{org}/secrets/{ref}/value',
  summary: 'Give a secret another value; the one before is gone',
  isWorkspace: true,
  access: writesWorkspace,
  isBodySecret: true,
  params: secretParams,
  body: z.object({ value }),
  answers: { 200: { description: 'The secret, without its value.', schema: secret } },
})

export const deleteSecret = defineRoute({
  operationId: 'deleteSecret',
  method: 'delete',
  path: '/orgs/{org}/secrets/{ref}',
  summary: 'Delete a secret with its value',
  isWorkspace: true,
  access: writesWorkspace,
  params: secretParams,
  answers: { 204: { description: 'It is gone.' } },
})

export const revealSecret = defineRoute({
  operationId: 'revealSecret',
  method: 'post',
  path: '/orgs/{org}/secrets/{ref}/reveal',
  summary: 'Be told the value of a secret; the org sees that you were',
  isWorkspace: true,
  access: writesWorkspace,
  params: secretParams,
  body: z.object({
    confirmation: z
      .uuid()
      .optional()
      .openapi({ description: 'A question about this secret that your human has confirmed, where agents must ask.' }),
  }),
  answers: { 200: { description: 'The secret with its value.', schema: revealed, isSecret: true } },
  problems: ['re_auth_required', 'workspace/confirmation-required'],
})

export const getSecretPolicy = defineRoute({
  operationId: 'getSecretPolicy',
  method: 'get',
  path: '/orgs/{org}/secret-policy',
  group: { name: 'secret-policy', about: 'Workspace: whether agents ask before a secret is revealed to them.' },
  summary: 'Read whether agents must ask before a secret is revealed to them',
  isWorkspace: true,
  access: readsWorkspace,
  params,
  answers: { 200: { description: 'The policy.', schema: policy } },
})

export const setSecretPolicy = defineRoute({
  operationId: 'setSecretPolicy',
  method: 'put',
  path: '/orgs/{org}/secret-policy',
  summary: 'Say whether agents must ask, as an owner or admin of the org',
  isWorkspace: true,
  access: { scope: 'manage', as: 'human', reAuth: true },
  params,
  body: z.object({ agents_ask: z.boolean() }),
  answers: { 200: { description: 'The policy.', schema: policy } },
})
