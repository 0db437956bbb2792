import type { OperationName } from '../../../../../sdk/market.ts'

/** The operations that a dispute's page reads again after a step. */
export const STEP: readonly OperationName[] = ['getDispute', 'listDisputes', 'getOrder', 'getOrderTimeline']
