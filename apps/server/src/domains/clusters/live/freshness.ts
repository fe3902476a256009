import type { Age } from '@gantry/contract/clusters/pods'
import type { KubeError } from '../../../adapters/kube/errors.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Freshness } from '../../../adapters/kube/cache/reflector.ts'
import { Fault } from '../../../kernel/fault.ts'
import { type Reader, say, sayTo } from '../../../kernel/phrase.ts'

function reasonOf(hearer: Reader, error: KubeError): string {
  const fault = kubeFault(error)
  return fault instanceof Fault ? sayTo(hearer, fault) : error.message
}

/** Since when cached rows are outdated, and why; reports also that they are still loading. */
export function ageOf(hearer: Reader, { state, since, error }: Freshness): Age {
  if (error) return { staleSince: new Date(since).toISOString(), message: reasonOf(hearer, error) }
  const { lang } = hearer
  return { staleSince: null, message: state === 'loading' ? say(lang, 'pods-loading') : '' }
}
