import type { Age } from '@gantry/contract/clusters/pods'
import { kubeFault } from '../../adapters/kube/faults.ts'
import type { Freshness } from '../../adapters/kube/reflector.ts'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { say } from '../../kernel/phrase.ts'

/** Since when rows from memory are no longer current, and why; what is still on its way says so. */
export function ageOf({ lang }: Pick<Ctx, 'lang'>, { state, since, error }: Freshness): Age {
  if (error) {
    const fault = kubeFault(error)
    const message = fault instanceof Fault ? say(lang, fault.key, fault.vars) : error.message
    return { staleSince: new Date(since).toISOString(), message }
  }
  return { staleSince: null, message: state === 'loading' ? say(lang, 'pods-loading') : '' }
}
