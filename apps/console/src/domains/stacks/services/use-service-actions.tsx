import { services, type ServiceSummary } from '@gantry/contract/stacks/services'
import { workloadKinds } from '@gantry/contract/stacks/spec-run'
import type { ReactNode } from 'react'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { confirm, useDialog } from '../../../ui/feedback/dialog.tsx'
import { later } from '../../../ui/feedback/later.ts'
import { useGo } from '../../../ui/link.tsx'
import { type Action, deleteAction } from '../../../ui/table/row-actions.tsx'
import { toUpgrade } from '../stacks/places.ts'
import { askRemove } from './remove-service.tsx'
import { allows, type ServiceAction } from './service-states.ts'
import { useServiceDecision } from './use-service-decision.ts'

const ScaleDialog = later(async () => (await import('./scale-dialog.tsx')).ScaleDialog)

/** All requests to a service, with their confirmations; `dialog` must be rendered somewhere. */
export function useServiceActions(): {
  decide: ReturnType<typeof useServiceDecision>
  actionsOf: (service: ServiceSummary, gone?: () => void) => Action[]
  dialog: ReactNode
} {
  const go = useGo()
  const scaling = useDialog<ServiceSummary>()
  const decide = useServiceDecision()
  const restart = useWrite(services.restart, { done: 'restart-success', quiet: true })
  const remove = useWrite(services.remove, { done: 'delete-success', quiet: true })

  const at = ({ teamId, envId }: ServiceSummary) => ({ teamId, envId })
  const askRestart = (service: ServiceSummary) =>
    confirm({
      title: t('stacks-ui-restart-title', { name: service.name }),
      text: t('stacks-ui-restart-text'),
      ok: t('stacks-ui-restart'),
      run: () =>
        restart.mutateAsync({
          named: service.name,
          params: { ...at(service), stackName: service.stackName },
          body: [service.name],
        }),
    })
  const removeIt = async (service: ServiceSummary, gone?: () => void): Promise<void> => {
    const params = { ...at(service), idAndType: `${service.id}_${service.type}` }
    try {
      const yes = await askRemove(service, (how) =>
        remove.mutateAsync({ named: service.name, params, query: { confirm: service.name, ...how } }),
      )
      if (yes) gone?.()
    } catch (error) {
      toast.error(error)
    }
  }

  /** Why a request is not possible, in the server's words. */
  const blocked = (service: ServiceSummary, ask: ServiceAction): string | false =>
    !allows(service.state, ask) && t(`stacks-not-now-${service.state}`, { name: service.name })

  const unscalable = ({ name, type, workload }: ServiceSummary): string | false =>
    type !== 'business'
      ? t('outward-not-scaled', { name })
      : workload !== 'deployment' &&
        workload !== 'statefulset' &&
        t('stacks-not-scaled', { name, workload: workloadKinds[workload] })

  const actionsOf = (service: ServiceSummary, gone?: () => void): Action[] => [
    {
      key: 'upgrade',
      label: t('stacks-ui-upgrade'),
      icon: 'upgrade',
      needs: services.update,
      disabled: blocked(service, 'upgrade'),
      onClick: () => go(toUpgrade(service)),
    },
    {
      key: 'scale',
      label: t('stacks-ui-scale'),
      icon: 'scale',
      needs: services.scale,
      disabled: unscalable(service) || blocked(service, 'scale'),
      onClick: () => scaling.show(service),
    },
    {
      key: 'restart',
      label: t('stacks-ui-restart'),
      icon: 'refresh',
      needs: services.restart,
      disabled: blocked(service, 'restart'),
      onClick: () => void askRestart(service),
    },
    deleteAction({
      needs: services.remove,
      disabled: service.live.state !== 'stale' && blocked(service, 'remove'),
      onClick: () => void removeIt(service, gone),
    }),
  ]
  return {
    decide,
    actionsOf,
    dialog: scaling.open && <ScaleDialog service={scaling.open} onClose={scaling.hide} />,
  }
}
