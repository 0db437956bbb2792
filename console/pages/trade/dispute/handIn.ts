import { urnString } from '../../../../protocol/encoding/urn.ts'
import { sha256Hex } from '../../../data/digest.ts'
import { market } from '../../../data/market.ts'
import type { DisputeBody } from './Dispute.tsx'

/** Hands in a file of the side that an agent is: to the evidence, or to the appeal that it may speak to. */
export async function handIn({ urn }: DisputeBody, agent: string, file: File): Promise<void> {
  const query = { sha256: await sha256Hex(file), filename: file.name }
  const headers = { 'content-type': 'application/octet-stream' }
  await market.call('handInEvidence', {
    params: { urn: urnString('dispute', urn.body) },
    ...{ query, upload: file, headers, agent },
  })
}
