import { liveByContract } from './contract.ts'
import { liveInCustody } from './custody.ts'
import type { Plan } from './plan.ts'
import { liveOfReserve } from './reserve.ts'
import type { Stage } from './stage.ts'
import { Steps } from './steps.ts'
import { comeUnasked } from './unasked.ts'

/** Lives one history through, and tells the model of the chain what the chain does. */
export function live(stage: Stage, plan: Plan): Promise<void> {
  const steps = new Steps(stage.world, stage.chain, plan.mishaps)
  switch (plan.kind) {
    case 'contract':
      return liveByContract(stage, steps, plan)
    case 'custodied':
      return liveInCustody(stage, steps, plan)
    case 'stray':
      return comeUnasked(stage, steps, plan)
    case 'reserve':
      return liveOfReserve(stage, steps, plan)
  }
}
