import { useState } from 'react'
import type { Amount } from '@gantry/contract/quotas/quotas'
import { stacks, type Stack } from '@gantry/contract/stacks/stacks'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Problem } from '../../../ui/feedback/problem.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { figure } from './share-after.tsx'
import { ShareFields } from './share-fields.tsx'
import { noShare, shareProblem, TeamQuotaAfter, useTeamQuota } from './team-quota.tsx'

/** A share cannot be smaller than the needs of the stack's services. */
function belowUse({ used }: Stack, wanted: Amount): string | undefined {
  for (const resource of ['cpu', 'memory'] as const) {
    const share = wanted[resource]
    if (share !== null && share + 0.001 < used[resource])
      return t(`stacks-share-below-use-${resource}`, { taken: figure(used[resource]), hard: share })
  }
  return undefined
}

/** A stack's share of the team's quota on its cluster. */
export function ShareDialog({ stack, onClose }: { stack: Stack; onClose: () => void }) {
  const [wanted, setWanted] = useState<Amount>(stack.quota)
  const quota = useTeamQuota(stack.teamId, stack.envId)
  const set = useWrite(stacks.setQuota, { done: 'update-success', quiet: true })
  const tooSmall = belowUse(stack, wanted)
  const problem = tooSmall ?? (quota.data && shareProblem(quota.data, stack.quota, wanted))
  return (
    <FormDialog
      title={t('stacks-ui-share-title', { name: stack.name })}
      onClose={onClose}
      schema={stacks.setQuota.body}
      initial={stack.quota}
      submit={t('ui-save')}
      needs={stacks.setQuota}
      disabled={problem ?? false}
      onChange={(values) => setWanted({ ...noShare, ...values })}
      onSubmit={({ cpu, memory }) =>
        set.mutateAsync({
          named: stack.name,
          params: { teamId: stack.teamId, envId: stack.envId, stackName: stack.name },
          body: { cpu: cpu ?? null, memory: memory ?? null },
        })
      }
    >
      <p className="g-dialog-text">
        {t('stacks-ui-share-used', { cpu: figure(stack.used.cpu), memory: figure(stack.used.memory) })}
      </p>
      <ShareFields />
      <Problem text={tooSmall} />
      <TeamQuotaAfter query={quota} mine={stack.quota} wanted={wanted} />
    </FormDialog>
  )
}
