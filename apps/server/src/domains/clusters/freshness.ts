import type { Age } from '@gantry/contract/clusters/pods'
import type { KubeError } from '../../adapters/kube/errors.ts'
import { kubeFault } from '../../adapters/kube/faults.ts'
import type { Freshness } from '../../adapters/kube/reflector.ts'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { say } from '../../kernel/phrase.ts'

type Reader = Pick<Ctx, 'lang' | 'actor'>

/** The whole reason names addresses inside of a network: it is for those who can do something about it. */
function reasonOf({ lang, actor }: Reader, error: KubeError): string {
  const fault = kubeFault(error)
  if (!actor.admin)
    return say(lang, error.kind === 'credentials' ? 'clusters-health-credentials' : 'clusters-health-unreachable')
  return fault instanceof Fault ? say(lang, fault.key, fault.vars) : error.message
}

/** Since when rows from memory are no longer current, and why; what is still on its way says so. */
export function ageOf(reader: Reader, { state, since, error }: Freshness): Age {
  if (error) return { staleSince: new Date(since).toISOString(), message: reasonOf(reader, error) }
  const { lang } = reader
  return { staleSince: null, message: state === 'loading' ? say(lang, 'pods-loading') : '' }
}
