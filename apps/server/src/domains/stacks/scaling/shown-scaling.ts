import type { Scaling } from '@gantry/contract/stacks/scaling/autoscaling'
import type { Ctx } from '../../../kernel/context.ts'
import { sayReasonTo } from '../../../kernel/phrase.ts'
import { isOpen } from '../copies/copy.ts'
import type { ServiceRow } from '../services/services.store.ts'
import { currentPeriod, leastOf, turns } from './decide.ts'

const waiting = new Set<ServiceRow['state']>([
  'failed',
  'stopped',
  'cancelling',
  'rolling-back',
  'confirming',
  'deleting',
])

/** The autoscaling of a service as callers see it; null if it has none. */
export function shownScaling(ctx: Ctx, service: ServiceRow): Scaling | null {
  const { autoscaling } = service.spec
  const { cpu, memory, last, trouble } = service.scaling
  if (!autoscaling) return null
  const now = new Date()
  const { until, next } = turns(autoscaling, now)
  return {
    min: autoscaling.min,
    max: autoscaling.max,
    least: leastOf(autoscaling, currentPeriod(autoscaling, now)),
    paused: autoscaling.paused,
    waits: isOpen(service.copy) ? 'copy' : waiting.has(service.state) ? 'state' : null,
    cpu,
    memory,
    until: until?.toISOString() ?? null,
    next: next && { at: next.at.toISOString(), instances: next.instances },
    last: last && { ...last, why: sayReasonTo(ctx, last.why) },
    trouble: sayReasonTo(ctx, trouble),
  }
}
