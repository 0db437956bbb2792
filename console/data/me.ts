import { createContext, useContext } from 'react'
import { t } from '../texts/texts.ts'
import type { Body } from './queries.ts'

/** The person who is signed in. */
export type Me = Body<'getMe'>

export const MeContext = createContext<Me | undefined>(undefined)

/** Returns the person who is signed in. Throws outside the pages that need one. */
export function useMe(): Me {
  const me = useContext(MeContext)
  if (!me) throw new Error(t('This page is for somebody who is signed in.'))
  return me
}
