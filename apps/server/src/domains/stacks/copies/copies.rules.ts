import { holdsItsClaim } from '@gantry/contract/stacks/demand'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import { workloadKinds } from '@gantry/contract/stacks/spec-run'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import type { Change } from '../services/change.ts'
import { findServiceByName, type ServiceRow } from '../services/services.store.ts'
import { copyName, type StoredCopy } from './copy.ts'

export { suffix } from './copy.ts'

/** Throws if a service cannot have a copy beside it. */
export async function mustStandBeside(ctx: Ctx, { name, stackId }: ServiceRow, given: ServiceSpec): Promise<void> {
  const { workload = 'deployment', replicas, outward } = given
  if (outward) throw new Fault('conflict', 'stacks-copy-outward', { name })
  if (workload !== 'deployment')
    throw new Fault('conflict', 'stacks-copy-workload', { name, workload: workloadKinds[workload] })
  if (holdsItsClaim(given)) throw new Fault('conflict', 'stacks-copy-claim', { name })
  if (replicas === 0) throw new Fault('invalid', 'stacks-copy-empty', { name })
  if (await findServiceByName(ctx.db, stackId, copyName(name)))
    throw new Fault('conflict', 'stacks-copy-name', { name: copyName(name) })
}

type Beside = Extract<Change, { type: 'bluegreen' | 'gray' }>

/** A new copy, with the facts that keep the service's own pods unchanged. */
export function copyOf(service: ServiceRow, change: Beside): StoredCopy {
  const { podRevision, podDigest, restartedAt, podDedicated } = service
  return {
    type: change.type,
    by: change.type === 'gray' ? change.by : 'instances',
    header: (change.type === 'gray' && change.header) || null,
    directions: null,
    before: { podRevision, podDigest, restartedAt, podDedicated },
    steps: change.type === 'gray' ? change.steps : [],
    rule: change.type === 'gray' ? change.rule : {},
    step: 0,
    since: null,
    goOn: false,
    why: null,
    ended: null,
  }
}
