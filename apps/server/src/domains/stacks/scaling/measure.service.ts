import { cpuCores, memoryBytes } from '@gantry/contract/stacks/amounts'
import type { Kube } from '../../../adapters/kube/client.ts'
import { isKube } from '../../../adapters/kube/errors.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import { labels } from '../../../adapters/kube/labels.ts'
import { quantity } from '../../../adapters/kube/rows/quantity.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { waits } from '../../../adapters/kube/waits.ts'
import { Fault } from '../../../kernel/fault.ts'
import { type Reason, reasonOf } from '../../../kernel/phrase.ts'
import type { ServiceRow } from '../services/services.store.ts'
import type { Utilization } from './decide.ts'

const none: Utilization = { cpu: [], memory: [] }
/** The result without a measurement. */
export const unmeasured = { use: none, trouble: null }

function whyNot(error: unknown): Reason {
  if (isKube(error, 'missing')) return { key: 'scaling-no-figures', vars: {} }
  const fault = kubeFault(error)
  if (fault instanceof Fault) return reasonOf(fault)
  throw error
}

/** What a service's instances use by the cluster's metrics server, in percent of the main container's limits. */
export async function measure(
  kube: Kube,
  namespace: string,
  { id, name, podRevision, spec }: ServiceRow,
): Promise<{ use: Utilization; trouble: Reason | null }> {
  const most = { cpu: cpuCores(spec.resources.cpu), memory: memoryBytes(spec.resources.memory) }
  try {
    const { items } = await kube.list(
      kinds.podMetrics,
      { namespace, labels: `${labels.service}=${id},${labels.revision}=${podRevision}` },
      { limit: 1000, budget: waits.usage },
    )
    const use = { cpu: [] as number[], memory: [] as number[] }
    for (const { containers } of items) {
      const usage = containers.find((one) => one.name === name)?.usage
      for (const resource of ['cpu', 'memory'] as const) {
        const used = quantity(usage?.[resource])
        if (used !== undefined) use[resource].push((used / most[resource]) * 100)
      }
    }
    return { use, trouble: null }
  } catch (error) {
    return { use: none, trouble: whyNot(error) }
  }
}
