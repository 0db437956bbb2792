import { z } from 'zod'
import { integerVariable } from '../../protocol/environment/environment.ts'
import type { ModelSettings } from '../context.ts'

/** The variables that choose who arbitrates disputes that facts do not decide: only humans, or a model. */
export const arbitratorVariables = {
  ARBITRATOR: z.enum(['rules', 'openai-compatible', 'anthropic']).default('rules'),
  ARBITRATOR_URL: z.url({ protocol: /^https?$/ }).optional(),
  ARBITRATOR_MODEL: z.string().min(1).optional(),
  ARBITRATOR_API_KEY: z.string().min(1).optional(),
  ARBITRATOR_STRUCTURED: z
    .enum(['true', 'false'])
    .default('true')
    .transform((value) => value === 'true'),
  ARBITRATOR_TIMEOUT_SECONDS: integerVariable(1).max(600).default(40),
  ARBITRATOR_CONCURRENCY: integerVariable(1).max(1_000).default(100),
}

export type ArbitratorVariable = keyof typeof arbitratorVariables

const schema = z.object(arbitratorVariables)

type Read = z.output<typeof schema>

/**
 * Refuses a model without the settings to call it, and an endpoint that would receive evidence unencrypted.
 */
export function requireModel({ value, issues }: z.core.ParsePayload<Read>): void {
  if (value.ARBITRATOR === 'rules') return
  const missing = (path: ArbitratorVariable, message: string) =>
    issues.push({ code: 'custom', input: value[path], path: [path], message })
  const needed = `is needed with ARBITRATOR=${value.ARBITRATOR}`
  if (value.ARBITRATOR_MODEL === undefined) missing('ARBITRATOR_MODEL', needed)
  if (value.ARBITRATOR_API_KEY === undefined) missing('ARBITRATOR_API_KEY', needed)
  if (value.ARBITRATOR === 'openai-compatible' && value.ARBITRATOR_URL === undefined) missing('ARBITRATOR_URL', needed)
  if (value.ARBITRATOR_URL !== undefined && !isPrivate(new URL(value.ARBITRATOR_URL))) {
    missing('ARBITRATOR_URL', 'must be https, except on loopback')
  }
}

function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

/** Returns the model that is configured, or undefined. */
export function modelOf(read: Read): ModelSettings | undefined {
  const { ARBITRATOR: provider, ARBITRATOR_MODEL: model, ARBITRATOR_API_KEY: apiKey } = read
  if (provider === 'rules' || model === undefined || apiKey === undefined) return undefined
  return {
    ...{ provider, model, apiKey },
    url: read.ARBITRATOR_URL,
    isStructured: read.ARBITRATOR_STRUCTURED,
    timeoutMs: read.ARBITRATOR_TIMEOUT_SECONDS * 1_000,
    concurrency: read.ARBITRATOR_CONCURRENCY,
  }
}
