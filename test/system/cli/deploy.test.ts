import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type Address, encodeAbiParameters, getAddress, type Hex, parseAbiParameters, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { ROOT } from '../../../cli/machine/paths.ts'
import { FIRST_FREE_ACCOUNT, sandboxAccount } from '../../../ignition/sandboxAccounts.ts'
import { escrowAbi } from '../../../protocol/generated/escrow.ts'
import { startChain, type TestChain } from '../../kit/chain/node.ts'
import { startRenamed } from '../../kit/chain/renamedChain.ts'
import { until } from '../../kit/until.ts'

const MINING_INTERVAL_SECONDS = 0.05
// The three contracts and seven calls of USDC, and the escrow.
const TRANSACTIONS = 10

describe('./market deploy', { timeout: 180_000 }, () => {
  const { privateKey } = sandboxAccount(FIRST_FREE_ACCOUNT)
  const deployer = privateKeyToAccount(privateKey).address
  const journal = join(mkdtempSync(join(tmpdir(), 'market-deploy-')), 'journal')
  let chain: TestChain

  before(async () => {
    chain = await startChain()
    await chain.client.setIntervalMining({ interval: MINING_INTERVAL_SECONDS })
  })

  after(async () => {
    await chain.stop()
    rmSync(join(journal, '..'), { recursive: true })
  })

  const start = (...options: string[]) =>
    spawn(process.execPath, ['cli/main.ts', 'deploy', ...options], {
      cwd: ROOT,
      env: { ...process.env, RPC_URL: chain.rpcUrl, DEPLOYER_KEY: privateKey },
    })

  const deploy = async (options = ['--network', 'sandbox', '--resolver', deployer, '--journal', journal]) => {
    const command = start(...options)
    const [printed] = await Promise.all([textOf(command), once(command, 'exit')])
    return JSON.parse(printed)
  }

  it('goes on where it was killed, and does nothing when all is done', async () => {
    const killed = start('--network', 'sandbox', '--resolver', deployer, '--journal', journal)
    const journalFile = join(journal, 'journal.jsonl')
    await until('a transaction is sent', () => {
      expect(killed.exitCode, 'it ended by itself').to.equal(null)
      return existsSync(journalFile) && readFileSync(journalFile, 'utf8').includes('TRANSACTION_SEND')
    })
    killed.kill('SIGKILL')
    await once(killed, 'exit')

    const deployed = await deploy()
    expect(await chain.client.getTransactionCount({ address: deployer })).to.equal(TRANSACTIONS)
    const { escrow, start_block: startBlock } = deployed as { escrow: Address; start_block: number }
    const contract = { address: escrow, abi: escrowAbi } as const
    expect(await chain.client.readContract({ ...contract, functionName: 'resolver' })).to.equal(deployer)
    expect(await chain.client.readContract({ ...contract, functionName: 'token' })).to.equal(deployed.token)
    expect(await chain.client.getCode({ address: escrow, blockNumber: BigInt(startBlock) })).to.be.a('string')
    expect(await chain.client.getCode({ address: escrow, blockNumber: BigInt(startBlock - 1) })).to.equal(undefined)

    expect(await creationOf(escrow, startBlock)).to.match(new RegExp(`${argumentsOf(deployed.verify_command)}$`))

    expect(await deploy()).to.deep.equal(deployed)
    expect(await chain.client.getTransactionCount({ address: deployer })).to.equal(TRANSACTIONS)
  })

  it('proves that the code on the chain is what the sources compile to, and says where it is not', async () => {
    const verify = async (escrow: Address, rpcUrl = chain.rpcUrl) => {
      const env = { ...process.env, RPC_URL: rpcUrl, ESCROW_ADDRESS: escrow }
      const command = spawn(process.execPath, ['cli/main.ts', 'deploy', '--verify'], { cwd: ROOT, env })
      const texts = Promise.all([textOf(command), textOf(command, 'stderr')])
      const [code] = await once(command, 'exit')
      const [printed, said] = await texts
      expect(printed, said).to.not.equal('')
      const { match, escrow_chain_id: chainId } = JSON.parse(printed)
      return { match, chainId, said, code }
    }
    const sources = 'what the sources of this commit compile to'
    const said = `It is byte for byte ${sources}, the hash of its metadata included.\n`
    const newId = await startRenamed(chain, 8_453)
    const verified = Promise.all([verify(chain.escrow), verify(chain.token), verify(chain.escrow, newId.rpcUrl)])
    const [escrow, token, renamed] = await verified.finally(newId.stop)
    expect(escrow).to.deep.equal({ match: 'exact', chainId: chain.chainId, code: 0, said })
    expect(token).to.deep.equal({ match: 'none', chainId: undefined, code: 1, said: `It is NOT ${sources}.\n` })
    const formerly = `It was deployed on chain ${chain.chainId}, and RPC_URL serves chain 8453.\n`
    expect(renamed).to.deep.equal({ match: 'exact', chainId: chain.chainId, code: 1, said: said + formerly })
  })

  it('deploys to a network that it knows nothing of, on the token that is there', async () => {
    const parameters = join(journal, '../parameters.json')
    const roles = { admin: deployer, pauser: deployer }
    writeFileSync(parameters, JSON.stringify({ Escrow: { token: chain.token, ...roles } }))
    const nonce = await chain.client.getTransactionCount({ address: deployer })
    const deployed = await deploy(['--parameters', parameters, '--resolver', deployer, '--journal', `${journal}-own`])
    expect(await chain.client.getTransactionCount({ address: deployer })).to.equal(nonce + 1)
    expect(deployed.token).to.equal(chain.token)
    const contract = { address: deployed.escrow as Address, abi: escrowAbi } as const
    expect(await chain.client.readContract({ ...contract, functionName: 'token' })).to.equal(chain.token)
    expect(await chain.client.readContract({ ...contract, functionName: 'defaultAdmin' })).to.equal(deployer)
  })

  it('deploys nothing on a token that is none', async () => {
    const parameters = join(journal, '../parameters.json')
    writeFileSync(parameters, JSON.stringify({ Escrow: { token: chain.escrow, admin: deployer, pauser: deployer } }))
    const nonce = await chain.client.getTransactionCount({ address: deployer })
    const command = start('--parameters', parameters, '--resolver', deployer, '--journal', `${journal}-none`)
    const [said, [code]] = await Promise.all([textOf(command, 'stderr'), once(command, 'exit')])
    expect(code).to.equal(1)
    expect(said).to.contain('decimals')
    expect(await chain.client.getTransactionCount({ address: deployer })).to.equal(nonce)
  })

  /** The data of the transaction that created a contract: its code, then the arguments of its constructor. */
  const creationOf = async (contract: Address, block: number): Promise<Hex | undefined> => {
    const { transactions } = await chain.client.getBlock({ blockNumber: BigInt(block), includeTransactions: true })
    for (const { hash, input } of transactions) {
      const { contractAddress } = await chain.client.getTransactionReceipt({ hash })
      if (contractAddress && getAddress(contractAddress) === contract) return input
    }
    return undefined
  }

  it('says what is wrong with its arguments, and does nothing', async () => {
    const nonce = await chain.client.getTransactionCount({ address: deployer })
    const command = start('--network', 'sandbox', '--resolver', zeroAddress.slice(1))
    const [said, [code]] = await Promise.all([textOf(command, 'stderr'), once(command, 'exit')])
    expect(code).to.equal(1)
    expect(said).to.contain('--resolver is not an address')

    const { UsdToken } = JSON.parse(readFileSync(join(ROOT, 'ignition/parameters/sandbox.json'), 'utf8'))
    const parameters = join(journal, '../nobody.json')
    writeFileSync(parameters, JSON.stringify({ UsdToken, Escrow: { resolver: deployer } }))
    const nobody = start('--parameters', parameters, '--journal', `${journal}-nobody`)
    const [asked, [refused]] = await Promise.all([textOf(nobody, 'stderr'), once(nobody, 'exit')])
    expect(refused).to.equal(1)
    expect(asked).to.contain('name an address for --admin, --pauser')
    expect(await chain.client.getTransactionCount({ address: deployer })).to.equal(nonce)
  })
})

/** The constructor's arguments of a command to verify the escrow, encoded. They follow its address. */
function argumentsOf(verifyCommand: string): string {
  const values = verifyCommand.split(' ').slice(-4) as [Address, Address, Address, Address]
  return encodeAbiParameters(parseAbiParameters('address, address, address, address'), values).slice(2)
}

async function textOf(command: ChildProcess, stream: 'stdout' | 'stderr' = 'stdout'): Promise<string> {
  const chunks = await Array.fromAsync(command[stream] ?? [])
  return Buffer.concat(chunks).toString('utf8')
}
