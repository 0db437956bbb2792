import type { Module } from '../../module.ts'
import { inputProblems } from './problems.ts'

/** What the service knows through this folder. */
export const inputs = { problems: inputProblems, schema: ['api/trading/inputs/schema.sql'] } satisfies Module
