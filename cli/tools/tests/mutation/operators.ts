import { swapArguments } from './operators/arguments.ts'
import { mutateConditions } from './operators/conditions.ts'
import { mutateMembers } from './operators/members.ts'
import { mutateSigns } from './operators/signs.ts'
import { removeStatements } from './operators/statements.ts'
import { mutateValues } from './operators/values.ts'
import { mutateVisibility } from './operators/visibility.ts'
import type { Operator } from './source/edit.ts'

/** Each kind of mistake by its name. */
export const OPERATORS: Readonly<Record<string, Operator>> = {
  signs: mutateSigns,
  conditions: mutateConditions,
  statements: removeStatements,
  arguments: swapArguments,
  values: mutateValues,
  members: mutateMembers,
  visibility: mutateVisibility,
}
