import { kubelet } from '../node/kubelet.ts'
import type { Programs } from '../node/programs.ts'
import { deployments } from './deployments.ts'
import { endpoints } from './endpoints.ts'
import { garbage } from './garbage.ts'
import type { Controller } from './loop.ts'
import { namespaces } from './namespaces.ts'
import { replicaSets } from './replica-sets.ts'
import { scheduler } from './scheduler.ts'

/** Everything that moves in the simulated cluster. */
export const controllersOf = (programs: Programs): Controller[] => [
  namespaces,
  deployments,
  replicaSets,
  scheduler,
  kubelet(programs),
  endpoints,
  garbage,
]
