import { type Message, msg, t } from '../texts/texts.ts'

/** A wallet of the browser (EIP-1193). */
export interface Provider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

/** Why a wallet did not do what it was asked for. */
export type WalletFault =
  | 'refused'
  | 'busy'
  | 'no_account'
  | 'other_chain'
  | 'unknown_chain'
  | 'late'
  | 'disconnected'
  | 'failed'

/** The wallet did not do what it was asked for; `message` says why, for the person who looks at it. */
export class WalletError extends Error {
  readonly fault: WalletFault

  constructor(fault: WalletFault, message: string) {
    super(message)
    this.name = 'WalletError'
    this.fault = fault
  }
}

const READ_MS = 20_000
/** How long a person has to answer their wallet. */
export const ANSWER_MS = 180_000

// EIP-1193, EIP-3326 and EIP-1474.
const FAULTS: Record<number, readonly [WalletFault, Message]> = {
  4001: ['refused', msg('You refused it in your wallet. Nothing was signed or sent.')],
  4100: ['no_account', msg('Your wallet does not let this page use that account. Connect it again.')],
  4900: ['disconnected', msg('Your wallet is not connected to its network.')],
  4901: ['other_chain', msg('Your wallet is not connected to this chain.')],
  4902: ['unknown_chain', msg('Your wallet does not know this chain: add it there first.')],
  [-32_002]: ['busy', msg('Your wallet is asking you something already. Open it and answer that first.')],
}

/**
 * Sends a request to a wallet. Throws a WalletError if it fails or does not answer in time. The person may
 * still confirm a request that was not answered in time.
 */
export async function ask(
  provider: Provider,
  method: string,
  params: readonly unknown[] = [],
  withinMs = READ_MS,
): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(
        new WalletError(
          'late',
          t(
            'Your wallet has not answered. It may still be asking you: what you confirm there now still counts. Look there before you try again.',
          ),
        ),
      )
    }, withinMs)
  })
  try {
    return await Promise.race([provider.request({ method, params }), late])
  } catch (error) {
    throw inWords(error)
  } finally {
    clearTimeout(timer)
  }
}

function inWords(error: unknown): WalletError {
  if (error instanceof WalletError) return error
  const { code, message, data } = (error ?? {}) as {
    code?: unknown
    message?: unknown
    data?: { originalError?: { code?: unknown } }
  }
  // Wallets of phones wrap the code of a chain that they do not know.
  const known = FAULTS[Number(data?.originalError?.code)] ?? FAULTS[Number(code)]
  if (known) return new WalletError(known[0], t(known[1]))
  if (typeof message !== 'string') return new WalletError('failed', t('Your wallet failed without saying why.'))
  return new WalletError('failed', t('Your wallet says: {what}', { what: message }))
}
