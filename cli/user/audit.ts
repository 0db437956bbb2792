import { createPublicClient } from 'viem'
import { audit } from '../../audit/audit.ts'
import type { AuditTarget } from '../../audit/history.ts'
import type { Published } from '../../audit/published.ts'
import type { AuditReport } from '../../audit/report.ts'
import { nodeTransport } from '../../protocol/rpc/rpc.ts'
import { readOptions, USAGE } from './audit/options.ts'
import { reportJson, reportText } from './audit/report.ts'
import { readSettings } from './audit/settings.ts'

const [CLEAN, FOUND, NOT_DONE] = [0, 1, 2]

/**
 * Audits the market of the options and prints the report. Returns 0 if it is clean, 1 if not, 2 if the audit
 * could not run.
 */
export async function run(args: string[]): Promise<number> {
  try {
    const values = readOptions(args)
    if (values.help) {
      console.log(USAGE)
      return CLEAN
    }
    const { rpcUrl, target, published } = await readSettings(values)
    const report = await runAudit(rpcUrl, target, published)
    console.log(values.json ? reportJson(report) : reportText(report))
    return report.ok ? CLEAN : FOUND
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return NOT_DONE
  }
}

/** Audits up to the given block, or the newest. */
export async function runAudit(
  rpcUrl: string,
  target: Omit<AuditTarget, 'chainId' | 'toBlock'> & { toBlock?: bigint },
  published: Published,
): Promise<AuditReport> {
  const client = createPublicClient({
    transport: nodeTransport(rpcUrl, { retryCount: 3, together: true }),
    ccipRead: false,
  })
  const chainId = await client.getChainId()
  const toBlock = target.toBlock ?? (await client.getBlockNumber({ cacheTime: 0 }))
  return audit(client, { ...target, chainId, toBlock }, published)
}
