import { services, type ServiceSummary } from '@gantry/contract/stacks/services'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { confirm } from '../../../ui/feedback/dialog.tsx'

export type Decided = Pick<ServiceSummary, 'id' | 'name' | 'teamId' | 'envId'>
export type Decision = 'confirm' | 'cancel' | 'rollBack'

/** Asks about the open upgrade of a service, and decides it. */
export function useServiceDecision(): (service: Decided, decision: Decision) => Promise<boolean> {
  const deciding = { done: 'option-success', quiet: true } as const
  const decisions = {
    confirm: useWrite(services.confirm, deciding),
    cancel: useWrite(services.cancel, deciding),
    rollBack: useWrite(services.rollBack, deciding),
  }
  return ({ id, name, teamId, envId }, action) =>
    confirm({
      title: t(`stacks-ui-${action}-title`, { name }),
      text: t(`stacks-ui-${action}-text`),
      ok: t(`stacks-ui-${action}`),
      run: () => decisions[action].mutateAsync({ named: name, params: { teamId, envId, id } }),
    })
}
