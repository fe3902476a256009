import type { ServiceState } from '@gantry/contract/stacks/states'
import type { Ctx } from '../../../kernel/context.ts'
import { notify } from '../../notifications/public.ts'
import type { StackRow } from '../stacks/stacks.store.ts'
import type { ServiceRow } from './services.store.ts'

const outcomes: Partial<Record<ServiceState, { tone: 'ok' | 'bad'; key: string }>> = {
  upgraded: { tone: 'ok', key: 'notifications-upgrade-ready' },
  failed: { tone: 'bad', key: 'notifications-service-failed' },
}

/** Tells who asked for the last change of a service that it waits for a decision, or failed. */
export async function tellOutcome(ctx: Ctx, stack: StackRow, service: ServiceRow, state: ServiceState): Promise<void> {
  const outcome = outcomes[state]
  if (!outcome) return
  await notify(ctx, [service.actorId], {
    kind: 'service',
    tone: outcome.tone,
    text: { key: outcome.key, vars: { service: service.name, stack: stack.name } },
    teamId: stack.teamId,
    permission: 'stack_service_view',
    target: {
      route: 'containers',
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
    },
  })
}
