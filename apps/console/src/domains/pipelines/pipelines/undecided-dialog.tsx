import { type DeployedService, deployments } from '@gantry/contract/stacks/revisions/deployments'
import { services } from '@gantry/contract/stacks/services'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { GoTo, useTeamId } from '../../../ui/link.tsx'
import { useServiceDecision } from '../../stacks/services/public.ts'
import { toService } from '../../stacks/stacks/public.ts'
import type { Runnable } from './places.ts'
import styles from './pipelines.module.css'

interface UndecidedDialogProps {
  pipeline: Runnable
  services: DeployedService[]
  /** Starts the build despite undecided upgrades. */
  start: () => void
  onClose: () => void
}

/**
 * Shown before a build that would be refused at its deploy step, after all its tests, because upgrades of earlier
 * builds wait for a decision, which can be made here.
 */
export function UndecidedDialog({ pipeline, services: first, start, onClose }: UndecidedDialogProps) {
  const teamId = useTeamId()
  const query = useRead(deployments.undecided, { params: { teamId, pipelineId: pipeline.id } })
  const decide = useServiceDecision()
  const open = query.data ?? first
  return (
    <Dialog
      title={t('pipelines-ui-undecided-title', { name: pipeline.projectName })}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>{t('ui-cancel')}</Button>
          <Button primary={open.length === 0} onClick={start}>
            {t(open.length === 0 ? 'pipelines-ui-run' : 'pipelines-ui-run-anyway')}
          </Button>
        </>
      }
    >
      <p>{t(open.length === 0 ? 'pipelines-ui-undecided-none' : 'pipelines-ui-undecided-text')}</p>
      <ul className={styles.undecided}>
        {open.map((service) => (
          <li key={service.id}>
            <GoTo to={toService(service)}>
              {service.stackName} / {service.name}
            </GoTo>
            <StateBadge state={service.state} />
            <span className="g-row g-row-end">
              {(['confirm', 'rollBack'] as const).map((decision) => (
                <Button
                  key={decision}
                  small
                  icon={decision === 'confirm' ? 'check' : 'rollback'}
                  needs={services[decision]}
                  onClick={() => void decide({ ...service, teamId }, decision)}
                >
                  {decision === 'confirm' ? t('stacks-ui-confirm') : t('stacks-ui-rollBack')}
                </Button>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
