import { serve } from '../../platform/http/serve/serve.ts'
import { findHotWallet } from './internal/find.ts'
import { readHotWallet } from './routes.ts'

export const reserveHandlers = [
  serve(readHotWallet, async (tx, { settings }) => ({ status: 200, body: await findHotWallet(tx, settings) })),
]
