import type { ServiceState } from '@gantry/contract/stacks/states'
import type { Ctx } from '../../../kernel/context.ts'
import { notify } from '../../notifications/public.ts'
import type { StackRow } from '../stacks/stacks.store.ts'
import { serialiseOutcomes, type ServiceRow, statesTogether } from './services.store.ts'
import { isUnsettled } from './states.ts'

interface Outcome {
  tone: 'ok' | 'bad'
  key: string
  /** The phrase for several services that were changed together. */
  many: string
}

const failed: Outcome = { tone: 'bad', key: 'notifications-service-failed', many: 'notifications-service-failed' }
const ready: Outcome = { tone: 'ok', key: 'notifications-upgrade-ready', many: 'notifications-upgrades-ready' }
const done: Outcome = { tone: 'ok', key: 'notifications-service-done', many: 'notifications-services-done' }
const stopped: Outcome = { tone: 'ok', key: 'notifications-service-stopped', many: 'notifications-services-done' }
const takenBack: Outcome = {
  tone: 'bad',
  key: 'notifications-gray-taken-back',
  many: 'notifications-gray-taken-back',
}

/** The notification about a change of a service's state; undefined for changes that end while the user is watching. */
function outcomeOf({ state: before, copy }: ServiceRow, state: ServiceState): Outcome | undefined {
  if (copy?.ended === null && copy.why && state !== 'failed') return takenBack
  if (state === 'failed') return failed
  if (state === 'upgraded') return ready
  if (before !== 'deploying') return undefined
  return state === 'stable' ? done : state === 'stopped' ? stopped : undefined
}

/**
 * Notifies the user who requested the last change of a service that it has ended, waits for a decision, or failed. For
 * services that were changed together there is one notification: when the first fails, else when the last has ended.
 */
export async function tellOutcome(ctx: Ctx, stack: StackRow, service: ServiceRow, state: ServiceState): Promise<void> {
  const outcome = outcomeOf(service, state)
  if (!outcome || service.actorId === null) return
  // of two that end at the same moment, the later one sees the other
  await serialiseOutcomes(ctx.db, stack.id)
  const states = await statesTogether(ctx.db, service.id)
  const isOne = states.length < 2 || outcome === takenBack
  const failures = states.filter((one) => one === 'failed').length
  if (!isOne && outcome === failed && failures > 1) return
  const isOver = failures === 0 && !states.some((one) => isUnsettled(one) && one !== 'deleting')
  if (!isOne && outcome !== failed && !isOver) return
  const summary = states.includes('upgraded') && outcome === done ? ready : outcome
  const ofStack = !isOne && outcome !== failed
  await notify(ctx, [service.actorId], {
    kind: 'service',
    tone: outcome.tone,
    text: {
      key: ofStack ? summary.many : outcome.key,
      vars: { ...(ofStack ? { count: states.length } : { service: service.name }), stack: stack.name },
    },
    teamId: stack.teamId,
    permission: 'stack_service_view',
    target: ofStack ? targetOfStack(stack) : targetOf(stack, service),
  })
}

const targetOfStack = (stack: StackRow) => ({
  route: 'stack' as const,
  params: { team_id: stack.teamId, env_id: stack.envId, stack_name: stack.name, stack_id: stack.id },
})

const targetOf = (stack: StackRow, service: ServiceRow) => ({
  route: 'containers' as const,
  params: {
    team_id: stack.teamId,
    env_id: stack.envId,
    stack_id: stack.id,
    stack_uuid: stack.uuid,
    stack_name: stack.name,
    service_id: service.id,
    service_name: service.name,
    service_type: service.type,
    from: 'appcenter',
  },
})
