import { services, type ServiceSummary } from '@gantry/contract/stacks/services'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { confirm } from '../../../ui/feedback/dialog.tsx'

export type Decided = Pick<ServiceSummary, 'id' | 'name' | 'teamId' | 'envId'>
export type Decision = 'confirm' | 'cancel' | 'rollBack'

/** Full names, because a list of pending decisions loads no other texts of stacks. */
const words = {
  confirm: { title: 'stacks-ui-confirm-title', text: 'stacks-ui-confirm-text', ok: 'stacks-ui-confirm' },
  cancel: { title: 'stacks-ui-cancel-title', text: 'stacks-ui-cancel-text', ok: 'stacks-ui-cancel' },
  rollBack: { title: 'stacks-ui-rollBack-title', text: 'stacks-ui-rollBack-text', ok: 'stacks-ui-rollBack' },
} as const

/** Confirms the decision about a service's open upgrade, and makes it. */
export function useServiceDecision(): (service: Decided, decision: Decision) => Promise<boolean> {
  const deciding = { done: 'option-success', quiet: true } as const
  const decisions = {
    confirm: useWrite(services.confirm, deciding),
    cancel: useWrite(services.cancel, deciding),
    rollBack: useWrite(services.rollBack, deciding),
  }
  return ({ id, name, teamId, envId }, action) =>
    confirm({
      title: t(words[action].title, { name }),
      text: t(words[action].text),
      ok: t(words[action].ok),
      run: () => decisions[action].mutateAsync({ named: name, params: { teamId, envId, id } }),
    })
}
