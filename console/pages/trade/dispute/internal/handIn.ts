import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { sha256Hex } from '../../../../data/files/digest.ts'
import { market } from '../../../../data/market.ts'
import type { Body } from '../../../../data/queries.ts'

/** Submits a file of an agent's side: as evidence, or to the appeal that it may comment on. */
export async function handIn({ urn }: Body<'getDispute'>, agent: string, file: File): Promise<void> {
  const query = { sha256: await sha256Hex(file), filename: file.name }
  const headers = { 'content-type': 'application/octet-stream' }
  await market.call('handInEvidence', {
    params: { urn: urnString('dispute', urn.body) },
    ...{ query, upload: file, headers, agent },
  })
}
