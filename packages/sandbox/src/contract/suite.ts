import { applyCases } from './applies.ts'
import { errorCases } from './errors.ts'
import { listCases } from './lists.ts'
import { podCases } from './pods.ts'
import { serviceCases } from './services.ts'
import { tenancyCases } from './tenancy.ts'
import type { Case } from './trial.ts'
import { verbCases } from './verbs.ts'
import { workloadCases } from './workloads.ts'

/** What the sandbox and a real cluster must both do. */
export const suite: Record<string, Case[]> = {
  'verbs × kinds': verbCases,
  refusals: errorCases,
  'lists and watches': listCases,
  'server-side apply': applyCases,
  'pods, logs and terminals': podCases,
  workloads: workloadCases,
  tenants: tenancyCases,
  'services and nodes': serviceCases,
}
