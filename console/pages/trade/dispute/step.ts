import type { OperationName } from '../../../../sdk/market.ts'

/** What a dispute's page reads again after a step. */
export const STEP: readonly OperationName[] = ['getDispute', 'listDisputes', 'getOrder', 'getOrderTimeline']
