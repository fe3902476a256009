import type { ServiceCopy } from '@gantry/contract/stacks/copies/copy'
import { instancesOf } from '@gantry/contract/stacks/scaling/autoscaling'
import type { Ctx } from '../../../kernel/context.ts'
import { sayReasonTo } from '../../../kernel/phrase.ts'
import type { ServiceRow } from '../services/services.store.ts'
import type { StackRow } from '../stacks/stacks.store.ts'
import { copyName, divided, endOfPause, isOpen, waitsForPerson } from './copy.ts'

/** The copy of a service as callers see it; null if there never was one. */
export function shownCopy(ctx: Ctx, stack: StackRow, service: ServiceRow): ServiceCopy | null {
  const { copy, spec, previous, name, state, instances } = service
  if (!copy) return null
  const goes = isOpen(copy) && state === 'upgrading'
  const end = endOfPause(copy)
  return {
    type: copy.type,
    addresses: isOpen(copy)
      ? spec.ports
          .filter(({ protocol }) => protocol === 'TCP')
          .map(({ port }) => `http://${copyName(name)}.${stack.namespace}.svc:${port}`)
      : [],
    by: copy.by,
    header: copy.header,
    steps: copy.steps,
    rule: copy.rule,
    step: copy.step,
    instances:
      isOpen(copy) && previous
        ? divided(copy, instancesOf(previous.spec, instances), instancesOf(spec, instances))
        : { old: 0, new: 0 },
    until: goes && end ? end.toISOString() : null,
    waits: goes && waitsForPerson(copy),
    ended: copy.ended,
    why: sayReasonTo(ctx, copy.why),
  }
}
