import { z } from '@hono/zod-openapi'
import type { Hex } from 'viem'
import { defineRoute } from '../../platform/http/route/route.ts'
import {
  addressSchema,
  addressText,
  pageQuery,
  timestampText,
  urnObject,
  urnParam,
} from '../../platform/http/route/schemas.ts'
import { walletProblems } from './problems.ts'

const SIGNATURE_CHARACTERS = 8_194

const withdraw = { scope: 'withdraw', as: 'any' } as const

const signatureText = z
  .string()
  .max(SIGNATURE_CHARACTERS)
  .regex(/^0x([0-9a-fA-F]{2})+$/, 'must be 0x and whole bytes of hex')
  .transform((value) => value as Hex)

const wallet = z
  .object({
    urn: urnObject('wallet'),
    account_urn: z.union([urnObject('human'), urnObject('agent')]),
    address: addressText,
    is_payout: z.boolean().openapi({ description: 'Whether the account is paid here now.' }),
    payout_from: timestampText.nullable().openapi({
      description: 'Since when the account is paid here, or, in the future, from when on. Null where neither.',
    }),
    verified_at: timestampText,
  })
  .openapi('Wallet')

export const challengeWallet = defineRoute({
  operationId: 'challengeWallet',
  method: 'post',
  path: '/v1/me/wallets',
  group: { name: 'wallets', about: 'Where accounts are paid, and what they pay from.' },
  summary: 'Ask for the EIP-4361 message that proves a wallet is yours',
  access: withdraw,
  body: z.object({ address: addressSchema }),
  answers: {
    201: {
      description: 'Sign the challenge with the wallet (EIP-191), then verify it. It answers once.',
      schema: z
        .object({ address: addressText, challenge: z.string(), expires_at: timestampText })
        .openapi('WalletChallenge'),
    },
  },
})

export const verifyWallet = defineRoute({
  operationId: 'verifyWallet',
  method: 'post',
  path: '/v1/me/wallets/verify',
  summary: 'Bind a wallet by its signature over the challenge: of its key, or of its contract (ERC-1271, ERC-6492)',
  access: withdraw,
  body: z.object({
    address: addressSchema,
    signature: signatureText,
  }),
  answers: { 200: { description: 'The bound wallet.', schema: wallet } },
  problems: [walletProblems.challengeInvalid, walletProblems.signatureInvalid, walletProblems.alreadyBound],
})

export const listWallets = defineRoute({
  operationId: 'listWallets',
  method: 'get',
  path: '/v1/me/wallets',
  summary: 'List the wallets of your account, and as a human those of your agents, newest first',
  access: { scope: 'read', as: 'any' },
  query: z.object(pageQuery()),
  answers: {
    200: {
      description: 'A page of wallets.',
      schema: z.object({ wallets: z.array(wallet), next_cursor: z.string().nullable() }),
    },
  },
})

export const choosePayoutWallet = defineRoute({
  operationId: 'choosePayoutWallet',
  method: 'post',
  path: '/v1/me/wallets/{urn}/payout',
  summary: 'Have the account of this wallet paid there instead, after rules.payout_wallet_delay_seconds',
  access: { ...withdraw, reAuth: true },
  params: z.object({ urn: urnParam('wallet') }),
  answers: {
    200: {
      description: 'The wallet. Until its payout_from the account is paid as before; an event tells its owner at once.',
      schema: wallet,
    },
  },
})

export const handOverWallet = defineRoute({
  operationId: 'handOverWallet',
  method: 'post',
  path: '/v1/me/wallets/{urn}/handover',
  summary: 'Have an earlier wallet vouch for this one, so that signatures and verdicts prove payouts to it',
  access: withdraw,
  params: z.object({ urn: urnParam('wallet') }),
  body: z.object({
    from: addressSchema.openapi({ description: 'The earlier wallet: your first one, or one that it handed over to.' }),
    signatures: z.object({ earlier: signatureText, new: signatureText }).openapi({
      description:
        'Of both wallets, over the EIP-712 message Handover(string site,string owner,address from,address to) in the domain {name: "Market wallet hand-over", version: "1", chainId}. site: the host of this service. owner: the URN of the human who owns both.',
    }),
  }),
  answers: { 200: { description: 'The wallet. The facilitator is notified immediately.', schema: wallet } },
  problems: [walletProblems.signatureInvalid],
})

export const removeWallet = defineRoute({
  operationId: 'removeWallet',
  method: 'delete',
  path: '/v1/me/wallets/{urn}',
  summary: 'Unbind a wallet, and with it a change of the payout wallet to it that has not taken effect',
  access: withdraw,
  params: z.object({ urn: urnParam('wallet') }),
  answers: { 204: { description: 'It is bound no more. Its address stays yours.' } },
  problems: [walletProblems.paidTo],
})
