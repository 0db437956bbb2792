import { serve } from '../../platform/http/serve/serve.ts'
import { challengeWallet as challenge } from './internal/challengeWallet.ts'
import { choosePayoutWallet as choose } from './internal/choosePayoutWallet.ts'
import { checkHandover, handOverWallet as handOver } from './internal/handOverWallet.ts'
import { removeWallet as remove } from './internal/removeWallet.ts'
import { checkWalletProof, verifyWallet as verify } from './internal/verifyWallet.ts'
import {
  challengeWallet,
  choosePayoutWallet,
  handOverWallet,
  listWallets,
  removeWallet,
  verifyWallet,
} from './routes.ts'
import { listWalletRows, toWallet } from './wallets.ts'

export const walletHandlers = [
  serve(challengeWallet, async (tx, call, { body }) => ({
    status: 201,
    body: await challenge(tx, call, body.address),
  })),

  serve(verifyWallet, {
    prepare: (services, call, { body }) => checkWalletProof(services, call, body),
    run: async (tx, call, { body }, signed) => ({ status: 200, body: await verify(tx, call, body.address, signed) }),
  }),

  serve(listWallets, async (tx, { actor }, { list }) => {
    const { items: wallets, next_cursor } = await list.read((page) => listWalletRows(tx, actor, page), toWallet)
    return { status: 200, body: { wallets, next_cursor } }
  }),

  serve(choosePayoutWallet, async (tx, call, { params }) => ({
    status: 200,
    body: toWallet(await choose(tx, call, params.urn)),
  })),

  serve(handOverWallet, {
    prepare: (services, call, { params, body }) => checkHandover(services, call, params.urn, body),
    run: async (tx, call, { params }, checked) => ({
      status: 200,
      body: toWallet(await handOver(tx, call, params.urn, checked)),
    }),
  }),

  serve(removeWallet, async (tx, { actor }, { params }) => {
    await remove(tx, actor, params.urn)
    return { status: 204, body: undefined }
  }),
]
