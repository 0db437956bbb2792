import { BlockList, isIP } from 'node:net'
import { z } from 'zod'
import { integerVariable } from '../../protocol/environment/environment.ts'

const MIN_SECRET_LENGTH = 32

/** The configuration of the x402 interface. */
export interface X402Settings {
  host: string
  port: number
  secret: string
  settleWaitMs: number
}

/** The variables of the x402 interface. Without a port it is not served. */
export const x402Variables = {
  X402_PORT: integerVariable(0).max(65_535).optional(),
  X402_HOST: z
    .string()
    .default('127.0.0.1')
    .refine(isPrivate, 'must be a loopback or private IP address: this is no public interface'),
  X402_SECRET: z
    .string()
    .min(MIN_SECRET_LENGTH, `must have ${MIN_SECRET_LENGTH} characters or more`)
    .regex(/^\S+$/, 'must have no space in it')
    .optional(),
  /** How long a settle call waits for its payment to be final before it returns settlement_pending. */
  X402_SETTLE_WAIT_MS: integerVariable(0).max(60_000).default(20_000),
}

const x402Environment = z.object(x402Variables)

/**
 * Returns the configuration of the interface, or undefined without one. The caller must refuse a port without
 * a secret.
 */
export function x402Settings(env: z.output<typeof x402Environment>): X402Settings | undefined {
  const { X402_PORT: port, X402_HOST: host, X402_SECRET: secret, X402_SETTLE_WAIT_MS: settleWaitMs } = env
  return port === undefined || secret === undefined ? undefined : { host, port, secret, settleWaitMs }
}

function isPrivate(host: string): boolean {
  const family = isIP(host)
  return family !== 0 && PRIVATE.check(host, family === 6 ? 'ipv6' : 'ipv4')
}

// RFC 1918, RFC 4193, RFC 6598, and loopback.
const PRIVATE = new BlockList()
PRIVATE.addSubnet('127.0.0.0', 8, 'ipv4')
PRIVATE.addSubnet('10.0.0.0', 8, 'ipv4')
PRIVATE.addSubnet('172.16.0.0', 12, 'ipv4')
PRIVATE.addSubnet('192.168.0.0', 16, 'ipv4')
PRIVATE.addSubnet('100.64.0.0', 10, 'ipv4')
PRIVATE.addAddress('::1', 'ipv6')
PRIVATE.addSubnet('fc00::', 7, 'ipv6')
