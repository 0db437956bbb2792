import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { type Address, getAddress, isAddress } from 'viem'
import { z } from 'zod'
import type { ExpectedPayee, KnownPayees } from '../../../sdk/payees.ts'
import { STATE_DIR } from '../../machine/paths.ts'
import { Misuse } from '../../terminal/options.ts'

const kept = z.record(z.string(), z.array(z.string()))

/**
 * Returns the wallets of sellers that a wallet has signed for. They are in a file of this machine, which
 * `./market order` and `./market mcp` share. A damaged file is an Error: to take it for empty would trust the
 * next wallet of each seller.
 */
export function knownPayeesOf(wallet: Address): KnownPayees {
  const path = `${STATE_DIR}payees-${wallet.toLowerCase()}.json`
  const read = (): z.output<typeof kept> => {
    let text: string
    try {
      text = readFileSync(path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
      throw error
    }
    try {
      return kept.parse(JSON.parse(text))
    } catch {
      throw new Error(
        `${path} is damaged: nothing was signed. Restore it, or delete it to trust each seller's next wallet.`,
      )
    }
  }
  return {
    of: (seller) => read()[seller] ?? [],
    add(seller, payee) {
      const payees = read()
      mkdirSync(STATE_DIR, { recursive: true })
      const next = { ...payees, [seller]: [...(payees[seller] ?? []), payee] }
      // Whole at any moment: a process that dies leaves the former file.
      writeFileSync(`${path}.${process.pid}`, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 })
      renameSync(`${path}.${process.pid}`, path)
    },
  }
}

/**
 * Returns what a wallet expects of the wallet of a seller: the given one, or one that it signed for before.
 */
export function expectedPayee(wallet: Address, payee: string | undefined): ExpectedPayee {
  if (payee !== undefined && !isAddress(payee)) throw new Misuse('--payee must be an address.')
  return { knownPayees: knownPayeesOf(wallet), ...(payee ? { payee: getAddress(payee) } : {}) }
}
