import { type Release, releases } from '@gantry/contract/blueprints/releases'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { confirm } from '../../../ui/feedback/dialog.tsx'

export type Decision = 'confirm' | 'cancel' | 'rollBack'

interface StackName {
  teamId: number
  envId: string
  stackName: string
}

/** Confirms the decision about a stack's open release, listing the services that it deletes, and makes it. */
export function useReleaseDecision(params: StackName) {
  const deciding = { quiet: true }
  const writes = {
    confirm: useWrite(releases.confirm, deciding),
    cancel: useWrite(releases.cancel, deciding),
    rollBack: useWrite(releases.rollBack, deciding),
  }
  return ({ version, made, removed }: Pick<Release, 'version' | 'made' | 'removed'>, decision: Decision) => {
    const goes = decision === 'confirm' ? removed : made
    return confirm({
      title: t(`blueprints-ui-release-${decision}-title`, { stack: params.stackName, version }),
      text: t(`blueprints-ui-release-${decision}-text`),
      goes: goes.map((name) => t('blueprints-ui-release-goes', { name })),
      danger: goes.length > 0,
      ok: t(`blueprints-ui-release-${decision}`),
      run: () => writes[decision].mutateAsync({ params }),
    })
  }
}
