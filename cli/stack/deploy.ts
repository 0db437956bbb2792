import { parseArgs } from 'node:util'
import { type Address, getAddress, isAddress } from 'viem'
import type { CodeMatch } from '../../audit/escrowCode.ts'
import { readParameters, readParametersFile } from '../../ignition/parameters.ts'
import { readVerifyEnvironment, takeSecretFiles } from '../machine/env.ts'
import { compileContracts } from './compile.ts'

const USAGE = `Usage: RPC_URL=… DEPLOYER_KEY=… ./market deploy (--network <name> | --parameters <file>) [--admin <address>] [--resolver <address>] [--pauser <address>] [--journal <folder>]
       RPC_URL=… ESCROW_ADDRESS=… ./market deploy --verify

  --network     the file of ignition/parameters/ to use: base, base-sepolia, sandbox
  --parameters  a file of the same form for any other network: {"Escrow": {"token": "<address>"}}
  --admin       may name another resolver and other pausers, both with the contract's delays
  --resolver    may release holds
  --pauser      may pause for up to 7 days
  --journal     where to write down what was done, ignition/deployments/chain-<id> by default

  --verify      deploys nothing: compiles the sources again and compares them with the code on the chain. Exits with 1 if
                it is another, or was deployed on a chain with another id

Interrupted, it goes on where it was when run again. Prints one JSON object; its verify_command publishes the source.`

/**
 * Deploys the contracts to the chain of RPC_URL and prints the environment variables that the processes need.
 */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      network: { type: 'string' },
      parameters: { type: 'string' },
      admin: { type: 'string' },
      resolver: { type: 'string' },
      pauser: { type: 'string' },
      journal: { type: 'string' },
      verify: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.verify && Object.keys(values).length === 1) return verify()
  const source = values.parameters ?? values.network
  if (values.help || values.verify || !source || (values.parameters && values.network)) {
    console.error(USAGE)
    return values.help ? 0 : 2
  }
  const roles = {
    ...role('admin', values.admin),
    ...role('resolver', values.resolver),
    ...role('pauser', values.pauser),
  }
  takeSecretFiles()
  await compileContracts()
  // Hardhat takes seconds to load, so the arguments are checked first.
  const { deployNetwork } = await import('../../ignition/deployNetwork.ts')
  const parameters = await (values.parameters ? readParametersFile(source) : readParameters(source))
  const { chainId, token, tokenNames, escrow, startBlock, verifyCommand } = await deployNetwork(
    parameters,
    roles,
    values.journal,
  )
  const printed = {
    chain_id: chainId,
    escrow,
    token,
    token_name: tokenNames.name,
    token_version: tokenNames.version,
    start_block: Number(startBlock),
    verify_command: verifyCommand,
  }
  console.log(JSON.stringify(printed, null, 2))
  return 0
}

const VERDICTS: Readonly<Record<CodeMatch, string>> = {
  exact: 'It is byte for byte what the sources of this commit compile to, the hash of its metadata included.',
  code: 'What runs is what the sources of this commit compile to. The hash of its metadata differs, which never runs: comments or \
names in the sources are others than at the deployment. In the commit that was deployed it matches, too.',
  none: 'It is NOT what the sources of this commit compile to.',
}

/**
 * Prints how far the deployed Escrow is that of these sources. Returns 1 for other code, and for another
 * chain's id.
 */
async function verify(): Promise<number> {
  const { RPC_URL, ESCROW_ADDRESS: escrow } = readVerifyEnvironment()
  const { verifyEscrow } = await import('./internal/verifyEscrow.ts')
  const { chainId, escrowChainId, match } = await verifyEscrow(RPC_URL, escrow)
  console.error(VERDICTS[match])
  const isOfChain = match === 'none' || escrowChainId === chainId
  if (!isOfChain) console.error(`It was deployed on chain ${escrowChainId}, and RPC_URL serves chain ${chainId}.`)
  console.log(JSON.stringify({ chain_id: chainId, escrow, escrow_chain_id: escrowChainId, match }, null, 2))
  return match !== 'none' && isOfChain ? 0 : 1
}

function role(name: string, text: string | undefined): Record<string, Address> {
  if (text === undefined) return {}
  if (!isAddress(text)) throw new Error(`--${name} is not an address: ${text}`)
  return { [name]: getAddress(text) }
}
