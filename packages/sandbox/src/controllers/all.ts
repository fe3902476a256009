import { hollowNodes } from '../node/hollow.ts'
import { kubelet } from '../node/kubelet.ts'
import { staticPods } from '../node/static-pods.ts'
import type { Programs } from '../node/programs.ts'
import { bootstrapTokens } from './bootstrap-tokens.ts'
import { budgets } from './budgets.ts'
import { claims } from './storage/claims.ts'
import { cronJobs } from './workloads/cron-jobs.ts'
import { daemonSets } from './workloads/daemon-sets.ts'
import { deployments } from './workloads/deployments.ts'
import { endpoints } from './endpoints.ts'
import { events } from './events.ts'
import { garbage } from './garbage.ts'
import { gatewayControllers } from './gateways.ts'
import { ingresses } from './ingresses.ts'
import { jobs } from './workloads/jobs.ts'
import type { Controller } from './loop.ts'
import { namespaces } from './namespaces.ts'
import { nodes } from './nodes.ts'
import { quotas } from './quotas.ts'
import { replicaSets } from './workloads/replica-sets.ts'
import { scheduler } from './scheduler.ts'
import { statefulSets } from './workloads/stateful-sets.ts'
import { taints } from './taints.ts'
import { volumes } from './storage/volumes.ts'

/** All controllers of the simulated cluster. */
export const controllersOf = (programs: Programs): Controller[] => [
  namespaces,
  nodes,
  hollowNodes,
  bootstrapTokens,
  staticPods,
  deployments,
  replicaSets,
  statefulSets,
  daemonSets,
  jobs,
  cronJobs,
  claims,
  volumes,
  budgets,
  scheduler,
  taints(),
  kubelet(programs),
  endpoints,
  ingresses,
  ...gatewayControllers,
  quotas,
  events,
  garbage,
]
