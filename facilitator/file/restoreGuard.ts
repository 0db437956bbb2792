import { pad } from 'viem'
import { findNewestLog } from '../../protocol/rpc/logs.ts'
import { AUTHORIZATION_CANCELED, AUTHORIZATION_USED, TRANSFER } from '../../protocol/rpc/topics.ts'
import { earlier, MAX_AHEAD_SECONDS, readHead } from '../chain/head.ts'
import { type AuthorizationFile, openAuthorizationFile } from './authorizationFile.ts'
import { authorizationOf, readChain, START, sealedRows } from './fileChain.ts'
import type { ForeignRowReport } from './internal/authenticFile.ts'
import { type FileContext, VALIDITY_SECONDS } from './signedAuthorizations.ts'
import type { Store } from './store.ts'

/** Older entries are not needed: they have expired and count against no daily limit. */
const READ_SECONDS = 2n * 86_400n

/** The file, and when the hot wallet may sign (chain time, unix seconds). */
export interface OpenFile {
  file: AuthorizationFile
  signsFrom: bigint
}

/**
 * Reads the file, under the lease of the keys, and adds its entries to those that the process knows.
 *
 * The hot wallet may sign at once if the file is whole: it has no gap up to the last number, and the database
 * is the one that the file was last written in, or this process read or wrote the last entry itself and has
 * held the lease since. An empty file is whole if the chain shows that the hot wallet never sent anything.
 * Otherwise the database was restored and may lack authorizations signed since the backup, or others have
 * added too many rows to find the newest entry: nothing is signed until all of those have expired. Throws any
 * error of the RPC and the database.
 */
export async function openFile(
  context: Pick<
    FileContext,
    'client' | 'at' | 'confirmations' | 'witness' | 'log' | 'hotWallet' | 'limits' | 'signedAuthorizations'
  >,
  store: Store,
  report: ForeignRowReport,
): Promise<OpenFile> {
  const { log, signedAuthorizations } = context
  const head = await readHead({ ...context, store })
  const current = await store.currentIdentity()
  const since = head.earlierTime - READ_SECONDS
  const read = await readChain(context, store, since)
  const { identity: known, head: newest = START } = read
  const old = await store.validBelow(read.bottom, since)
  const valid = await sealedRows(context, old)
  report('facilitator.authorizations', read.foreign + old.length - valid.length, NOT_SEALED)
  // This process wrote the entries after that one too, but lost the database's answer.
  const isRemembered = signedAuthorizations.isContinuous && read.has(signedAuthorizations.head)
  for (const authorization of [...read.authorizations, ...valid.flatMap(authorizationOf)])
    signedAuthorizations.add(authorization, head)
  // A number above all rows is found first at the next start, however many rows others have added.
  const file = openAuthorizationFile(context, store, read.isCut ? { ...START, number: read.newest } : newest)
  const isUnbroken = known !== undefined && read.isChained && (await hasAllNumbers(store, known.number, read.bottom))
  const latestStart = head.laterTime + VALIDITY_SECONDS
  // A time that a clock far ahead has put on file does not count.
  const signsFromOnFile = earlier(known?.content.signsFrom ?? 0n, latestStart)
  const isInBounds = known !== undefined && known.content.signsFrom <= latestStart + MAX_AHEAD_SECONDS
  if (isUnbroken && isInBounds && known.content.identity === current) {
    signedAuthorizations.follow({ number: newest.number, hash: newest.hash })
    return { file, signsFrom: known.content.signsFrom }
  }
  const isWhole = (isUnbroken && isRemembered) || (await isUnused(context, read.head !== undefined, head.latest.number))
  const signsFrom = isWhole ? signsFromOnFile : latestStart
  await file.addIdentity(current, signsFrom)
  if (!isWhole) log.error({ alarm: true, signsFrom: signsFrom.toString() }, RESTORED)
  return { file, signsFrom }
}

const NOT_SEALED = 'a row of the file was not sealed by the key of the hot wallet: it is ignored'
const RESTORED = 'the file was restored: no payout is signed before'

async function hasAllNumbers(store: Store, first: bigint, last: bigint): Promise<boolean> {
  return last <= first || (await store.numbersBetween(first, last)) === last - first + 1n
}

/** Returns whether nothing was ever signed, as far as file, process and chain show. */
async function isUnused(
  { client, at, signedAuthorizations }: Pick<FileContext, 'client' | 'at' | 'signedAuthorizations'>,
  hasEntries: boolean,
  toBlock: bigint,
): Promise<boolean> {
  if (hasEntries || signedAuthorizations.head.number > 0n) return false
  const from = pad(at.hotWallet)
  const range = { address: at.token, fromBlock: at.startBlock, toBlock }
  const used = await findNewestLog(client, { ...range, topics: [[AUTHORIZATION_USED, AUTHORIZATION_CANCELED], from] })
  return used === undefined && (await findNewestLog(client, { ...range, topics: [TRANSFER, from] })) === undefined
}
