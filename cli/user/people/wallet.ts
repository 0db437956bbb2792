import { readFile } from 'node:fs/promises'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { z } from 'zod'
import { getPublicConfig } from '../../../api/config/routes.ts'
import { openKeystore } from '../../../protocol/keys/keystore.ts'
import { createMarket } from '../../../sdk/market.ts'
import { readMarketPlace } from '../../machine/env.ts'
import { readJson } from '../../terminal/jsonFile.ts'
import { Misuse } from '../../terminal/options.ts'
import { readPassword } from '../../terminal/password.ts'

const published = getPublicConfig.answers[200].schema

/** A `GET /v1/config/public`. */
export type PublicConfig = z.output<typeof published>

/** Opens the wallet of a keystore (`./market keystore` writes them). Throws an Error for a wrong password. */
export async function openWallet(keystore: string, passwordFile: string): Promise<PrivateKeyAccount> {
  return privateKeyToAccount(await openKeystore(await readFile(keystore, 'utf8'), await readPassword(passwordFile)))
}

/** Returns the configuration that was checked and kept in a file. Throws an Error for anything else. */
export function readKeptConfig(path: string): Promise<PublicConfig> {
  return readJson(path, published)
}

/** Returns the public configuration that a service publishes now. */
export async function readPublishedConfig(baseUrl: string): Promise<PublicConfig> {
  return (await createMarket({ baseUrl }).call('getPublicConfig', {})).body
}

/** Returns the configuration and the node. Throws a Misuse if one of them is not known. */
export async function placeOf(values: {
  config?: string
  'rpc-url'?: string
}): Promise<{ config: PublicConfig; rpcUrl: string }> {
  const place = values.config && values['rpc-url'] ? undefined : await readMarketPlace()
  const rpcUrl = values['rpc-url'] ?? place?.rpcUrl
  if (!rpcUrl) throw new Misuse('Name a node of the chain with --rpc-url.')
  if (values.config) return { config: await readKeptConfig(values.config), rpcUrl }
  if (!place) throw new Misuse('Name the market: a --config that you kept, MARKET_URL, or a running sandbox.')
  return { config: await readPublishedConfig(place.baseUrl), rpcUrl }
}
