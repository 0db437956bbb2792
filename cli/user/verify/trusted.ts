import type { PublicKeyJwk } from '../../../protocol/keys/signing.ts'
import { type FeeRate, ratesOf } from '../../../protocol/payments/fees.ts'
import { readMarketPlace } from '../../machine/env.ts'
import { Misuse } from '../../terminal/options.ts'
import { readKeptConfig, readPublishedConfig } from '../people/wallet.ts'

/** The keys and fees that documents are checked against, and their source. */
export interface Trusted {
  keys: readonly PublicKeyJwk[]
  rates: readonly FeeRate[]
  source: 'kept' | 'published'
  /** The same for people. */
  told: string
}

/** Returns the keys and fees of a kept configuration, else those that the service publishes now. */
export async function readTrusted(path: string | undefined): Promise<Trusted> {
  if (path !== undefined) {
    const { keys, fees } = await readKeptConfig(path)
    return { keys: keys.keys, rates: ratesOf(fees.document), source: 'kept', told: `those kept in ${path}.` }
  }
  const place = await readMarketPlace()
  if (!place) throw new Misuse('Name the keys: a --config that you kept, MARKET_URL, or a running sandbox.')
  const { keys, fees } = await readPublishedConfig(place.baseUrl)
  const told = `those that ${place.baseUrl} publishes now. Keep its /v1/config/public and name it with --config to trust nobody.`
  return { keys: keys.keys, rates: ratesOf(fees.document), source: 'published', told }
}
