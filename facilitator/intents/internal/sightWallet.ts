import type { Address } from 'viem'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { isSignedBy, isSignedByKey } from '../../../protocol/keys/signatures.ts'
import type { IntentOf } from '../../../protocol/payments/intents.ts'
import { handoverDigest } from '../../../protocol/payments/walletHandover.ts'
import { confirmed, type Ending, refused, wait } from '../../context/decision.ts'
import type { Pass } from '../../evidence/pass.ts'
import { isBoundTo } from '../../proof/binding.ts'
import { readSightedWallets, type SightedWallets, signSight } from '../../proof/knownWallets.ts'
import { formerSight } from '../../proof/unproved.ts'

type Sight = IntentOf<'sight_wallet'>

/** An owner has few wallets. Without a limit, anyone who can write intents could fill the file. */
const MAX_WALLETS = 8

/**
 * Records that a wallet is bound to an owner, and the hand-over by which an earlier wallet of theirs vouches
 * for it. It sends nothing. Refused if the wallet did not sign the binding, or both wallets did not sign the
 * hand-over. If an owner then has wallets that no hand-over connects, no wallet of theirs proves anything:
 * the outcome says so, and an alarm is raised once.
 */
export async function decideSightWallet(pass: Pass, sight: Sight): Promise<Ending> {
  const owner = urnString('human', sight.ownerId)
  if (!(await isBoundTo(pass, sight.wallet, sight.binding, [owner]))) return refused('binding_invalid')
  if (sight.handover && !(await isHandedOver(pass, sight, sight.handover))) return refused('handover_invalid')
  return pass.exclusive(`wallets of ${sight.ownerId}`, () => record(pass, sight))
}

async function record(pass: Pass, { ownerId, wallet: to, handover }: Sight): Promise<Ending> {
  const [wallet, from] = [lower(to), handover ? lower(handover.from) : null]
  const known = await readSightedWallets(pass, ownerId)
  if (known.sights.some((sight) => sight.wallet === wallet && (from === null || sight.from === from)))
    return outcomeOf(known)
  // The first wallet is told by the order of the sights, so a wallet that another vouches for follows that
  // one.
  if (from !== null && !known.dueAt.has(from)) return wait('earlier_wallet_unseen')
  if (pass.head.isBehind) return wait('head_behind')
  const earlier = known.sights.find((sight) => sight.wallet === wallet)
  if (!earlier && known.dueAt.size >= MAX_WALLETS) return refused('too_many_wallets')
  const { seenAt, dueAt } = earlier ?? (await timesOf(pass, ownerId, to))
  await pass.store.recordWalletSight(await signSight(pass, { ownerId, wallet, from, seenAt, dueAt }))
  const now = await readSightedWallets(pass, ownerId)
  if (now.areDisputed && !known.areDisputed) {
    const told = { alarm: true, owner: urnString('human', ownerId), wallets: [...now.dueAt.keys()] }
    pass.log.error(told, 'an owner has two wallets without a hand-over: neither proves a payout')
  }
  return outcomeOf(now)
}

/**
 * Returns since when a wallet counts as seen, and the time from which it counts. A sight of an earlier
 * version remains valid.
 */
async function timesOf(pass: Pass, ownerId: string, wallet: Address): Promise<{ seenAt: bigint; dueAt: bigint }> {
  const seenAt = pass.head.laterTime
  const dueAt = seenAt + pass.limits.releaseDelaySeconds
  const former = await formerSight(pass, `wallet ${urnString('human', ownerId)} ${wallet}`)
  return former && former.dueAt < dueAt ? former : { seenAt, dueAt }
}

function outcomeOf({ areDisputed }: SightedWallets): Ending {
  return areDisputed ? refused('wallets_disputed') : confirmed(null)
}

async function isHandedOver(
  pass: Pass,
  { ownerId, wallet: to }: Sight,
  { from, signatures }: NonNullable<Sight['handover']>,
): Promise<boolean> {
  const { client, at, domainName, walletFactories } = pass
  const owner = urnString('human', ownerId)
  const digest = handoverDigest({ chainId: at.chainId, site: domainName, owner, from, to })
  const signed = [
    { account: from, digest, signature: signatures.earlier },
    { account: to, digest, signature: signatures.new },
  ]
  for (const one of signed)
    if (!(await isSignedByKey(one)) && !(await isSignedBy(client, one, walletFactories))) return false
  return true
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address
}
