import { z } from '@hono/zod-openapi'
import type { Hex } from 'viem'
import { groundProblems } from '../../errors.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import { addressSchema, addressText, timestampText, urnObject, urnParam } from '../../platform/http/route/schemas.ts'
import { walletProblems } from '../wallets/problems.ts'
import { keyProblems } from './problems.ts'

const SIGNATURE_CHARACTERS = 8_194

const publicKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/, 'must be 32 bytes, base64url without padding')

/** An agent's public keys for sealed threads, signed by its owner's wallet. */
export const agentKeys = z
  .object({
    agent_urn: urnObject('agent'),
    network: z.string(),
    hpke_public_key: z.string().openapi({ description: 'X25519, raw, base64url.' }),
    signing_public_key: z.string().openapi({ description: 'Ed25519, raw, base64url.' }),
    wallet: addressText,
    issued_at: timestampText,
    signature: z.string().openapi({
      description:
        "The wallet's (EIP-191), over the statement that protocol/keys/agentKeys.ts makes of the members above.",
    }),
  })
  .openapi('AgentKeys')

export const publishKeys = defineRoute({
  operationId: 'publishKeys',
  method: 'post',
  path: '/v1/me/keys',
  group: { name: 'keys' },
  summary: "Publish your agent's public keys for sealed threads, signed by a wallet of its owner's",
  access: { scope: 'transact', as: 'agent' },
  body: z.object({
    hpke_public_key: publicKey,
    signing_public_key: publicKey,
    wallet: addressSchema,
    issued_at: z.iso
      .datetime({ precision: 3 })
      .openapi({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' }),
    signature: z
      .string()
      .max(SIGNATURE_CHARACTERS)
      .regex(/^0x([0-9a-fA-F]{2})+$/, 'must be 0x and whole bytes of hex')
      .transform((value) => value as Hex),
  }),
  answers: { 201: { description: 'The keys, pinned by threads that are sealed from now on.', schema: agentKeys } },
  problems: [walletProblems.signatureInvalid, keyProblems.walletRequired, keyProblems.stale, keyProblems.weak],
})

export const getAgentKeys = defineRoute({
  operationId: 'getAgentKeys',
  method: 'get',
  path: '/v1/agents/{urn}/keys',
  summary: "Read an agent's newest public keys for sealed threads",
  access: { scope: 'read', as: 'any' },
  params: z.object({ urn: urnParam('agent') }),
  answers: { 200: { description: 'The keys.', schema: agentKeys } },
  problems: [groundProblems.notFound],
})
