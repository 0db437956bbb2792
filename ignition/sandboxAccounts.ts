import { type Address, type Hex, toHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

// Hardhat's published test mnemonic: its node funds these accounts, and nobody should anywhere else.
const MNEMONIC = 'test test test test test test test test test test test junk'

/**
 * The roles of the sandbox's accounts. What follows these in the list is free for tests and demonstrations.
 */
const ROLES = ['deployer', 'resolver', 'submitter', 'hotWallet', 'feeRecipient', 'minter', 'proxyAdmin'] as const

/** A role of the sandbox. */
export type SandboxRole = (typeof ROLES)[number]

/** An account of the sandbox's chain, with native coin for gas. */
export interface SandboxAccount {
  address: Address
  privateKey: Hex
}

/** The first free account. The node funds twenty in all. */
export const FIRST_FREE_ACCOUNT = ROLES.length

/** The account at `index` of the node's list. */
export function sandboxAccount(index: number): SandboxAccount {
  const account = mnemonicToAccount(MNEMONIC, { addressIndex: index })
  const privateKey = account.getHdKey().privateKey
  if (!privateKey) throw new Error(`account ${index} has no private key`)
  return { address: account.address, privateKey: toHex(privateKey) }
}

/** The accounts that run the sandbox, by role. */
export function sandboxAccounts(): Record<SandboxRole, SandboxAccount> {
  const entries = ROLES.map((role, index) => [role, sandboxAccount(index)])
  return Object.fromEntries(entries)
}
