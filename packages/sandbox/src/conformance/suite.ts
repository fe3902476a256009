import { accessCases } from './access.ts'
import { applyCases } from './applies.ts'
import { deploymentCases } from './deployments.ts'
import { evictionCases } from './machines/evictions.ts'
import { execCases } from './execs.ts'
import { ephemeralCases, fileCases } from './files.ts'
import { gatewayCases } from './gateways.ts'
import { listCases } from './lists.ts'
import { logCases } from './logs.ts'
import { nodeLogCases } from './machines/node-logs.ts'
import { nodeCases } from './machines/nodes.ts'
import { podCases } from './pods.ts'
import { refusedChangeCases } from './refusals/refused-changes.ts'
import { refusedClusterCases } from './refusals/refused-cluster.ts'
import { refusedObjectCases } from './refusals/refused-objects.ts'
import { refusedRequestCases } from './refusals/refused-requests.ts'
import { serviceCases } from './services.ts'
import { tenancyCases } from './tenancy.ts'
import { storageCases } from './storage.ts'
import { tokenCases } from './tokens.ts'
import type { Case } from './trial/trial.ts'
import { verbCases } from './verbs.ts'
import { workloadCases } from './workloads.ts'

/** Behaviour that the sandbox and a real cluster must share. */
export const suite: Record<string, Case[]> = {
  'verbs × kinds': verbCases,
  'refused requests': refusedRequestCases,
  'refused objects': refusedObjectCases,
  'refused changes': refusedChangeCases,
  'refused storage and classes': refusedClusterCases,
  'lists and watches': listCases,
  'server-side apply': applyCases,
  pods: podCases,
  logs: logCases,
  terminals: execCases,
  files: [...fileCases, ...ephemeralCases],
  deployments: deploymentCases,
  workloads: workloadCases,
  tenants: [...tenancyCases, ...accessCases, ...tokenCases],
  'services and nodes': serviceCases,
  gateways: gatewayCases,
  machines: [...nodeCases, ...nodeLogCases],
  evictions: evictionCases,
  storage: storageCases,
}
