import type { Settings } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { ScanState } from '../../platform/db/generated/tables.ts'

const RETRY_SECONDS = 5

/**
 * Throws 403 attachment_quarantined for a file that the scanner found infected, also for one that was deleted for it, and where
 * there is a scanner for one that it has not seen yet.
 */
export function requireHarmless({ scanner }: Pick<Settings, 'scanner'>, state: ScanState): void {
  if (state === 'infected') {
    throw new Problem('workspace/attachment-quarantined', {
      detail: 'The virus scanner found this file infected. An operator of the service can release it.',
    })
  }
  requireBytes(state)
  if (state === 'unscanned' && scanner !== undefined) {
    throw new Problem('workspace/attachment-quarantined', {
      detail: 'The virus scanner has not seen this file yet. Ask again soon.',
      retryAfterSeconds: RETRY_SECONDS,
    })
  }
}

/** Throws 403 attachment_quarantined for a file whose bytes an operator has deleted. */
export function requireBytes(state: ScanState): void {
  if (state !== 'deleted') return
  throw new Problem('workspace/attachment-quarantined', {
    detail: 'The virus scanner found this file infected, and an operator of the service deleted its bytes.',
  })
}
