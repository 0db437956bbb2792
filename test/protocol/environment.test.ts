import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { expect } from 'chai'
import { z } from 'zod'
import {
  bigintVariable,
  chainVariables,
  databaseVariable,
  readEnvironment,
  requireIndexApart,
  requireReserve,
  reserveVariables,
  walletFactoriesVariable,
} from '../../protocol/environment/environment.ts'
import { hasVariable } from '../../protocol/environment/secretFiles.ts'

const OURS = '0x1111111111111111111111111111111111111111'
const COLD = '0x2222222222222222222222222222222222222222'

/** What a process says of its environment. Empty where it takes it. */
function complaint(schema: z.ZodType, environment: Record<string, string>): string {
  try {
    readEnvironment(schema, environment)
    return ''
  } catch (error) {
    return String(error)
  }
}

describe('a whole number in a variable', () => {
  const schema = z.object({ FEE: bigintVariable })

  it('is taken as it is, and refused in any other spelling', () => {
    for (const FEE of ['0', '7', '10', '123456789012345678901234567890']) {
      expect(readEnvironment(schema, { FEE })).to.deep.equal({ FEE: BigInt(FEE) })
    }
    for (const FEE of ['-1', '+1', '01', '1.5', '1e3', '0x10', ' 1', '1\n', '1_000']) {
      expect(complaint(schema, { FEE }), JSON.stringify(FEE)).to.contain('FEE: must be a whole number')
    }
  })

  it('is missed where the variable is not set, or empty', () => {
    expect(complaint(schema, {})).to.contain('FEE: is not set')
    expect(complaint(schema, { FEE: '' })).to.contain('FEE: is not set')
  })
})

describe('a secret in a file', () => {
  const schema = z.object({ DATABASE_URL: databaseVariable, SECRET_KEY: z.string() })
  const folder = mkdtempSync(join(tmpdir(), 'market-secrets-'))
  after(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }

  it('is the value of its variable, without the line break at the end', () => {
    const given = {
      DATABASE_URL_FILE: write('url', 'postgres://host/market\n'),
      SECRET_KEY_FILE: write('key', ' a b \r\n'),
    }
    expect(readEnvironment(schema, given)).to.deep.equal({
      DATABASE_URL: 'postgres://host/market',
      SECRET_KEY: ' a b ',
    })
    expect(hasVariable(given, 'DATABASE_URL')).to.equal(true)
    expect(hasVariable({ DATABASE_URL: '' }, 'DATABASE_URL')).to.equal(false)
  })

  it('is refused where the file has none, or the variable is set as well, and its value is not told', () => {
    const url = { DATABASE_URL: 'postgres://host/market' }
    const twice = { ...url, SECRET_KEY: 'hidden', SECRET_KEY_FILE: write('key', 'secret') }
    expect(complaint(schema, twice))
      .to.contain('SECRET_KEY_FILE: is set, and SECRET_KEY as well')
      .and.not.contain('hidden')
    expect(complaint(schema, { ...url, SECRET_KEY_FILE: write('none', '\n') })).to.contain(
      'SECRET_KEY_FILE: the file is empty',
    )
    const lost = complaint(schema, { ...url, SECRET_KEY_FILE: join(folder, 'lost') })
    expect(lost).to.contain('SECRET_KEY_FILE: the file cannot be read (ENOENT)')
  })

  it('is read for no other variable', () => {
    const environment = { DATABASE_URL: 'postgres://host/market', SECRET_KEY: 'x', SSL_CERT_FILE: join(folder, 'lost') }
    expect(complaint(schema, environment)).to.equal('')
  })
})

describe('the address of a node in a variable', () => {
  it('is of http or https, and of nothing else', () => {
    const schema = z.object({ RPC_URL: chainVariables.RPC_URL })
    for (const RPC_URL of ['http://node:8545', 'https://user:secret@node.example/key']) {
      expect(complaint(schema, { RPC_URL })).to.equal('')
    }
    for (const RPC_URL of ['xhttp://node', 'httpx://node', 'ftp://node', 'ws://node', 'node:8545', 'http']) {
      expect(complaint(schema, { RPC_URL }), RPC_URL).to.contain('RPC_URL')
    }
  })
})

describe('the reserve in the environment', () => {
  const address = z.string().transform((text) => text as `0x${string}`)
  const contracts = { HOT_WALLET_ADDRESS: address, ESCROW_ADDRESS: address, TOKEN_ADDRESS: address }
  const schema = z.object({ ...contracts, ...reserveVariables }).check(requireReserve)
  const ours = {
    HOT_WALLET_ADDRESS: OURS,
    ESCROW_ADDRESS: `${OURS.slice(0, -1)}2`,
    TOKEN_ADDRESS: `${OURS.slice(0, -1)}3`,
  }

  it('is there whole or not at all', () => {
    expect(complaint(schema, ours)).to.equal('')
    expect(complaint(schema, { ...ours, COLD_WALLET_ADDRESS: COLD, HOT_WALLET_CEILING_MICROS: '0' })).to.equal('')
    const half = 'needs the other of the two'
    expect(complaint(schema, { ...ours, COLD_WALLET_ADDRESS: COLD })).to.contain(`COLD_WALLET_ADDRESS: ${half}`)
    expect(complaint(schema, { ...ours, HOT_WALLET_CEILING_MICROS: '1' })).to.contain(
      `HOT_WALLET_CEILING_MICROS: ${half}`,
    )
  })

  it('is in a wallet that is neither the hot one nor a contract of ours', () => {
    for (const taken of Object.values(ours)) {
      const environment = { ...ours, COLD_WALLET_ADDRESS: taken, HOT_WALLET_CEILING_MICROS: '1' }
      expect(complaint(schema, environment), taken).to.contain('COLD_WALLET_ADDRESS: must be a wallet of its own')
    }
  })
})

describe('the two databases in the environment', () => {
  const urls = { DATABASE_URL: databaseVariable, INDEX_DATABASE_URL: databaseVariable }
  const schema = z.object(urls).check(requireIndexApart)
  const DATABASE_URL = 'postgres://market_api:one@db:5432/market'

  it('are two, whoever logs in to them', () => {
    for (const place of ['db:5432/index', 'db:5433/market', 'other:5432/market']) {
      const INDEX_DATABASE_URL = `postgres://market_index_reader:two@${place}`
      expect(complaint(schema, { DATABASE_URL, INDEX_DATABASE_URL }), place).to.equal('')
    }
    const same = { DATABASE_URL, INDEX_DATABASE_URL: 'postgresql://market_index_reader:two@db:5432/market' }
    expect(complaint(schema, same)).to.contain("INDEX_DATABASE_URL: is the market's database")
  })
})

describe('the factories of wallets that are trusted', () => {
  const schema = z.object({ WALLET_FACTORIES: walletFactoriesVariable })

  it('are none by default, and addresses between commas', () => {
    expect(readEnvironment(schema, {})).to.deep.equal({ WALLET_FACTORIES: [] })
    const given = readEnvironment(schema, { WALLET_FACTORIES: ` ${OURS}, ${COLD},` })
    expect(given.WALLET_FACTORIES.map((address) => address.toLowerCase())).to.deep.equal([OURS, COLD])
    expect(complaint(schema, { WALLET_FACTORIES: `${OURS};${COLD}` })).to.contain('WALLET_FACTORIES')
  })
})
