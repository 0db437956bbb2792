import { before, describe, it } from 'node:test'
import { expect } from 'chai'
import { fromHex, toHex } from '../../protocol/encoding/bytes.ts'
import { type PublicKeyJwk, publicKeyJwk, signDocument } from '../../protocol/keys/signing.ts'
import { liabilitiesDocument, liabilityInclusion } from '../../protocol/liabilities/liabilities.ts'
import { encodeNode, leafNode } from '../../protocol/liabilities/liabilityPath.ts'
import { buildLevels, pathOf, rootOf } from '../../protocol/liabilities/liabilityTree.ts'
import { AUDIT_GENESIS, auditDigest, auditLink } from '../../protocol/records/auditChain.ts'
import { AuditChainError, type AuditEntry, type AuditHead, verifyAuditLog } from '../../sdk/auditLog.ts'
import type { EthereumProvider } from '../../sdk/ethereum.ts'
import {
  LiabilityError,
  type LiabilityInclusion,
  proveBalances,
  type SignedLiabilities,
} from '../../sdk/liabilities.ts'
import type { Market } from '../../sdk/market.ts'
import { type ReputationAnswer, verifyReputationAnswer } from '../../sdk/reputation.ts'
import { expectEachMember, membersOf } from '../kit/members.ts'

const SEED = '33'.repeat(32)
const AT = '2026-06-01T12:00:00.000Z'
const BLOCK_HASH = `0x${'b1'.repeat(32)}` as const
const [TOKEN, WALLET] = [`0x${'7e'.repeat(20)}`, `0x${'a1'.repeat(20)}`] as const

type Reply = { head: AuditHead; entries: AuditEntry[] }
type Root = SignedLiabilities['document']

let keys: PublicKeyJwk[]
before(async () => {
  keys = [{ ...(await publicKeyJwk(SEED)), valid_until: AT }]
})

async function signed<Document extends object>(document: Document) {
  const { keyId: key_id, signature } = await signDocument(document, SEED)
  return { document, key_id, signature }
}

/** A client whose calls are answered so. */
function answering(answers: Record<string, unknown>): Pick<Market, 'call'> {
  return { call: async (name: string) => ({ body: answers[name] }) } as unknown as Pick<Market, 'call'>
}

/** A client that answers an operation by its pages, each under the cursor of the one before it. */
function paging(name: string, pages: readonly object[], answers: Record<string, unknown>): Pick<Market, 'call'> {
  const call = async (asked: string, { query }: { query?: { cursor?: string } } = {}) => {
    if (asked !== name) return { body: answers[asked] }
    const index = Number(query?.cursor ?? 0)
    return { body: { ...pages[index], next_cursor: index + 1 < pages.length ? String(index + 1) : null } }
  }
  return { call } as unknown as Pick<Market, 'call'>
}

function prefixed(prefix: string, table: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [`${prefix}${name}`, value]))
}

async function faultOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof LiabilityError || error instanceof AuditChainError) return error.fault
    throw error
  }
}

describe('the log of what was done, and its head', () => {
  const entryAfter = (before: AuditEntry | undefined, said: NonNullable<AuditEntry['content']>): AuditEntry => {
    const { salt, ...rest } = said
    const previous = before ? fromHex(before.hash) : AUDIT_GENESIS
    const digest = auditDigest(rest, fromHex(salt))
    const hash = toHex(auditLink(previous, digest))
    const position = (before?.position ?? 0) + 1
    return { position, previous_hash: toHex(previous), digest: toHex(digest), hash, content: said }
  }
  const content = {
    ...{ actor: 'service', action: 'test', subject: 'market:human:1', details: { of: 'something' } },
    ...{ created_at: AT, salt: '0a'.repeat(32) },
  }
  const first = entryAfter(undefined, content)
  const entries = [first, entryAfter(first, content)]
  const document: AuditHead['document'] = {
    ...{ type: 'market:audit-log-head', position: 2, hash: entries[1]?.hash ?? '', as_of: AT },
  }
  const faultIn = ({ head, entries }: Reply) =>
    faultOf(() => verifyAuditLog(answering({ getAuditHead: head, listAuditLog: { entries, next_cursor: null } }), keys))

  it('have a fault in each member that is another', async () => {
    const head = await signed(document)
    expect(await faultIn({ head, entries })).to.equal(undefined)
    const ofContent = ['actor', 'action', 'subject', 'details.of', 'created_at', 'salt']
    const answers = {
      ...{ 'head.document.type': 'head', 'head.document.position': 'head', 'head.document.hash': 'head' },
      ...{ 'head.document.as_of': 'head', 'head.key_id': 'head', 'head.signature': 'head' },
      ...{ 'entries.*.position': 'gap', 'entries.*.previous_hash': 'link', 'entries.*.hash': 'link' },
      'entries.*.digest': 'digest',
      ...Object.fromEntries(ofContent.map((name) => [`entries.*.content.${name}`, 'digest'])),
    }
    await expectEachMember({ head, entries }, answers, (reply) => faultIn(reply), { 'entries.*.position': 0 })
    const hidden = entries.map((entry) => ({ ...entry, content: null }))
    const links = { position: 'gap', previous_hash: 'link', digest: 'link', hash: 'link', content: 'digest' }
    const others = { position: 0, content: { ...content, action: 'other' } }
    await expectEachMember(
      hidden,
      prefixed('*.', links),
      (of) => faultIn({ head, entries: of }),
      prefixed('*.', others),
    )
  })

  it('have a fault where a head was signed of what is verified already, with another hash', async () => {
    const head = await signed(document)
    const [, last] = entries
    const market = answering({ getAuditHead: head, listAuditLog: { entries: [], next_cursor: null } })
    const from = { position: 2, hash: last?.hash ?? '' }
    expect(await faultOf(() => verifyAuditLog(market, keys, from))).to.equal(undefined)
    expect(await faultOf(() => verifyAuditLog(market, keys, { ...from, hash: first.hash }))).to.equal('head')
    expect(await faultOf(() => verifyAuditLog(market, keys, { ...from, position: 3 }))).to.equal('head')
  })

  it('are read page by page to the head, and have a fault where the pages end before it', async () => {
    const head = await signed(document)
    const pages = entries.map((entry) => ({ entries: [entry] }))
    const verify = (some: readonly object[]) =>
      verifyAuditLog(paging('listAuditLog', some, { getAuditHead: head }), keys)
    expect(await verify(pages)).to.include({ position: 2, hash: document.hash })
    expect(await faultOf(() => verify(pages.slice(0, 1)))).to.equal('head')
  })

  it('have a fault in each member of a head that the service signed so', async () => {
    const answers = { type: 'head', position: 'head', hash: 'head', as_of: 'head' }
    await expectEachMember(document, answers, async (said) => faultIn({ head: await signed(said), entries }))
  })
})

describe('what custody owes, proved', () => {
  const leaves = [1n, 2n, 3n].map((amountMicros) => {
    return {
      account: `payable:market:human:${amountMicros}`,
      amountMicros,
      salt: fromHex(`0${amountMicros}`.repeat(32)),
    }
  })
  const levels = buildLevels(Buffer.concat(leaves.map((leaf) => encodeNode(leafNode(leaf)))))
  const top = rootOf(levels)
  const wire = (micros: bigint) => `0.${String(micros).padStart(6, '0')}`
  const document: Root = {
    ...{ type: 'market:liabilities', network: 'eip155:8453', token: TOKEN, wallets: [WALLET], block_number: 7 },
    ...{
      block_hash: BLOCK_HASH,
      total: wire(top.sumMicros),
      root: toHex(top.hash),
      height: top.height,
      created_at: AT,
    },
  }
  const balances: LiabilityInclusion[] = leaves.slice(1).map(({ account, amountMicros, salt }, index) => {
    const { siblings } = pathOf(levels, BigInt(index + 1))
    const path = siblings.map(({ hash, sumMicros }) => ({ hash: toHex(hash), sum: wire(sumMicros) }))
    return { account, amount: wire(amountMicros), salt: toHex(salt), position: index + 1, path }
  })
  const node: EthereumProvider = {
    request: async ({ method, params }) => {
      if (method === 'eth_chainId') return '0x2105'
      if (method === 'eth_call') return `0x${top.sumMicros.toString(16)}`
      const [block] = params as [string]
      return { hash: block === '0x7' ? BLOCK_HASH : `0x${'b2'.repeat(32)}`, timestamp: '0x1' }
    },
  }
  const prove = (liabilities: SignedLiabilities, shown = balances, published = liabilities) => {
    const pages = { liabilities, balances: shown, next_cursor: null }
    const market = answering({ listInclusions: pages, getLiabilitiesAt: published })
    const chain = { client: node, token: TOKEN, wallets: [WALLET] }
    return faultOf(() => proveBalances(market, keys, { chain }))
  }

  it('are refused for each member of the root, whoever signed it', async () => {
    expect(await prove(await signed(document))).to.equal(undefined)
    const root = await signed(document)
    const names = membersOf(liabilitiesDocument).map((name) => `document.${name}`)
    const unsigned = Object.fromEntries([...names, 'key_id', 'signature'].map((name) => [name, 'signature']))
    await expectEachMember(root, unsigned, (one) => prove(one))
    const published = Object.fromEntries(membersOf(liabilitiesDocument).map((name) => [name, 'published']))
    await expectEachMember(document, published, async (one) => prove(root, balances, await signed(one)))
    const answers = {
      ...{ type: 'signature', network: 'block', token: 'custody', 'wallets.*': 'custody', block_number: 'block' },
      ...{ block_hash: 'block', total: 'inclusion', root: 'inclusion', height: 'inclusion' },
      // The key was not valid any more.
      created_at: 'signature',
    }
    await expectEachMember(document, answers, async (one) => prove(await signed(one)))
  })

  it('are of the block that was asked for: the newest, unless one was named', async () => {
    const liabilities = await signed(document)
    const asked: unknown[] = []
    const call = async (name: string, input: { query?: unknown }) => {
      if (name === 'listInclusions') asked.push(input.query)
      return { body: name === 'listInclusions' ? { liabilities, balances, next_cursor: null } : liabilities }
    }
    const market = { call } as unknown as Pick<Market, 'call'>
    for (const options of [{}, { block: document.block_number }]) await proveBalances(market, keys, options)
    expect(asked).to.deep.equal([{ limit: 100 }, { limit: 100, block: document.block_number }])
    expect(await faultOf(() => proveBalances(market, keys, { block: document.block_number + 1 }))).to.equal('block')
  })

  it('are read page by page, and each page counts', async () => {
    const liabilities = await signed(document)
    const pages = balances.map((balance) => ({ liabilities, balances: [balance] }))
    const proved = await proveBalances(paging('listInclusions', pages, { getLiabilitiesAt: liabilities }), keys, {})
    expect(proved.balances).to.deep.equal(balances)
    expect(proved.totalMicros).to.equal(5n)
  })

  it('are refused for each member of a balance and its path', async () => {
    const root = await signed(document)
    const answers = Object.fromEntries(membersOf(liabilityInclusion).map((name) => [`*.${name}`, 'inclusion']))
    await expectEachMember(balances, answers, (changed) => prove(root, changed))
    expect(await prove(root, [...balances, ...balances.slice(0, 1)])).to.equal('inclusion')
  })
})

describe('an answer about a reputation', () => {
  it('is none of the service’s when any member of it is another', async () => {
    const said = {
      ...{ type: 'market:reputation-answer:1', subject_urn: 'market:agent:1', conditions: { min: 1 }, result: true },
      supporting: {
        ...{ unweighted_count: 1, weighted_rating_avg: 4.5, weighted_dispute_loss_rate: 0.1 },
        weighted_volume_usdc: '20.000000',
      },
      as_of: AT,
    }
    const signing = async (document: typeof said): Promise<ReputationAnswer> => {
      const { keyId: key_id, signature } = await signDocument(document, SEED)
      return { ...document, key_id, signature: `ed25519:${signature}` }
    }
    const answer: Required<ReputationAnswer> = await signing(said)
    expect(await verifyReputationAnswer(answer, keys)).to.equal(true)
    const supporting = Object.keys(said.supporting).map((name) => `supporting.${name}`)
    const names = ['type', 'subject_urn', 'conditions.min', 'result', ...supporting, 'as_of', 'key_id', 'signature']
    const none = Object.fromEntries(names.map((name) => [name, false]))
    await expectEachMember(answer, none, (one) => verifyReputationAnswer(one, keys))
    const other = await signing({ ...said, type: 'market:reputation-answer:2' })
    expect(await verifyReputationAnswer(other, keys)).to.equal(false)
    const late = await signing({ ...said, as_of: '2026-06-01T12:00:01.000Z' })
    expect(await verifyReputationAnswer(late, keys)).to.equal(false)
  })
})
