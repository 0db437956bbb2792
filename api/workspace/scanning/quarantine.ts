import type { Settings } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { ScanState } from '../../platform/db/schema/workspace.ts'

/**
 * Throws 403 attachment_quarantined for a file that the scanner found infected, and where there is a scanner for one that it
 * has not seen yet.
 */
export function requireHarmless({ scanner }: Pick<Settings, 'scanner'>, state: ScanState): void {
  if (state === 'infected') {
    throw new Problem('workspace/attachment-quarantined', {
      detail: 'The virus scanner found this file infected. An operator of the service can release it.',
    })
  }
  if (state === 'unscanned' && scanner !== undefined) {
    throw new Problem('workspace/attachment-quarantined', {
      detail: 'The virus scanner has not seen this file yet. Ask again soon.',
      retryAfterSeconds: RETRY_SECONDS,
    })
  }
}

const RETRY_SECONDS = 5
