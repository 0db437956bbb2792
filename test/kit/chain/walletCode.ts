import type { Hex } from 'viem'

const YES = `1626ba7e${'00'.repeat(28)}`
// Bytes of a program: what it returns, put in memory, and from where to where it is returned.
const returning = (word: string, bytes: string) => `0x7f${word}5f52${bytes}5ff3` as Hex

/** Code of contract wallets that say yes to any signature (ERC-1271), each in a way of its own. */
export const AGREEING: Record<string, Hex> = {
  plainly: returning(YES, '6020'),
  'with a page of nothing behind it': returning(YES, '611000'),
}

/** Code of contract wallets that do not say yes as the token wants it said, whatever they are asked. */
export const REFUSING: Record<string, Hex> = {
  'says yes in four bytes': returning(YES, '6004'),
  'says yes in 31 bytes [risk wallet-answers]': returning(YES, '601f'),
  'says yes with something else in the same word': returning(`1626ba7e${'00'.repeat(27)}01`, '6020'),
  'says yes at the wrong end of the word': returning(`${'00'.repeat(28)}1626ba7e`, '6020'),
  'says true': returning('01'.padStart(64, '0'), '6020'),
  'answers a quarter of a mebibyte of nothing': '0x620400005ff3',
  'writes before it says yes': `0x60015f55${returning(YES, '6020').slice(2)}`,
  'logs an event before it says yes': `0x5f5fa0${returning(YES, '6020').slice(2)}`,
  'says what no code may begin with': returning(`ef${'00'.repeat(31)}`, '6020'),
  'answers nothing': '0x00',
  reverts: '0x5f5ffd',
  'reverts with yes': `0x7f${YES}5f5260205ffd`,
  'fails without a revert': '0xfe',
  'burns all gas': '0x5b5f56',
  'destroys itself [risk hostile-wallet-code]': `0x7f${YES}5f5260205f33ff`,
}
