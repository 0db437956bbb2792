import { word } from '../../../../texts/words.ts'

/** Returns what an account may do here: `operator`, `member, reviewer`. */
export function roleText(role: string, isReviewer: boolean): string {
  return isReviewer ? `${word(role)}, ${word('reviewer')}` : word(role)
}
