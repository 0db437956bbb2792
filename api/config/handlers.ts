import { serve } from '../platform/http/serve/serve.ts'
import { keySet, publicConfig } from './publicConfig.ts'
import { getKeys, getPublicConfig } from './routes.ts'

export const configHandlers = [
  serve(getPublicConfig, {
    withoutTransaction: async (services) => ({ status: 200, body: await publicConfig(services) }),
  }),
  serve(getKeys, {
    withoutTransaction: async ({ db, settings }) => ({ status: 200, body: await keySet(db, settings) }),
  }),
]
