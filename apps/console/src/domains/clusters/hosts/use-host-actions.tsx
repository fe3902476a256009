import type { ReactNode } from 'react'
import { hosts, type Host } from '@gantry/contract/clusters/hosts'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { confirm, useDialog } from '../../../ui/feedback/dialog.tsx'
import type { Action } from '../../../ui/table/row-actions.tsx'
import { DedicateDialog } from './dedicate-dialog.tsx'
import { pathOf, whyShared } from './host-marks.tsx'
import { MaintenanceDialog } from './maintenance-dialog.tsx'

/** What changes with every write to a host. */
/** The actions on a host; `dialog` must be rendered somewhere. */
export function useHostActions(): {
  actionsOf: (host: Host, gone?: () => void) => Action[]
  /** Asks for a confirmation first. */
  maintain: (host: Host) => void
  endMaintenance: (host: Host) => void
  dialog: ReactNode
} {
  const draining = useDialog<Host>()
  const dedicating = useDialog<Host>()
  const options = { done: 'option-success' } as const
  const cordon = useWrite(hosts.cordon, options)
  const maintenance = useWrite(hosts.maintenance, options)
  const ingress = useWrite(hosts.ingress, { ...options })
  const remove = useWrite(hosts.remove, { done: 'delete-success', quiet: true })

  const askRemove = (host: Host) =>
    confirm({
      title: t('hosts-ui-remove-title', { name: host.name, cluster: host.envName }),
      goes: [
        t('hosts-ui-remove-node', { name: host.name }),
        ...(host.podNum ? [t('hosts-ui-remove-pods', { count: host.podNum })] : []),
      ],
      text: t('hosts-ui-remove-text'),
      typed: host.name,
      danger: true,
      ok: t('hosts-ui-remove'),
      run: () => remove.mutateAsync({ named: host.name, params: pathOf(host) }),
    })
  const endMaintenance = (host: Host) =>
    maintenance.mutate({ named: host.name, params: pathOf(host), body: { enable: false } })

  const actionsOf = (host: Host, gone?: () => void): Action[] => {
    const params = pathOf(host)
    const shared = whyShared(host)
    const stays = shared || (host.controller && t('hosts-controller', { host: host.name }))
    const maintained = host.state === 'maintenance'
    return [
      !host.schedulable && !maintained
        ? {
            key: 'uncordon',
            needs: hosts.cordon,
            label: t('hosts-ui-uncordon'),
            icon: 'play',
            disabled: shared,
            onClick: () => cordon.mutate({ named: host.name, params, body: { enable: false } }),
          }
        : {
            key: 'cordon',
            needs: hosts.cordon,
            label: t('hosts-ui-cordon'),
            icon: 'pause',
            disabled: stays || (maintained && t('hosts-ui-cordoned-already')),
            onClick: () => cordon.mutate({ named: host.name, params, body: { enable: true } }),
          },
      maintained
        ? {
            key: 'end',
            needs: hosts.maintenance,
            label: t('hosts-ui-maintenance-end'),
            icon: 'check',
            disabled: shared,
            onClick: () => endMaintenance(host),
          }
        : {
            key: 'maintain',
            needs: hosts.maintenance,
            label: t('hosts-ui-maintenance'),
            icon: 'gear',
            disabled: stays,
            onClick: () => draining.show(host),
          },
      {
        key: 'ingress',
        needs: hosts.ingress,
        label: t(host.ingress ? 'hosts-ui-ingress-off' : 'hosts-ui-ingress-on'),
        icon: 'ingress',
        disabled: shared || (host.os === 'windows' && !host.ingress && t('hosts-windows-ingress', { host: host.name })),
        onClick: () => ingress.mutate({ named: host.name, params, body: { enable: !host.ingress } }),
      },
      {
        key: 'dedicate',
        label: t('hosts-ui-dedicate'),
        icon: 'team',
        needs: hosts.dedicated,
        disabled: stays,
        onClick: () => dedicating.show(host),
      },
      {
        key: 'remove',
        label: t('hosts-ui-remove'),
        icon: 'delete',
        danger: true,
        needs: hosts.remove,
        disabled: stays,
        onClick: () => void askRemove(host).then((yes) => yes && gone?.()),
      },
    ]
  }

  return {
    actionsOf,
    maintain: draining.show,
    endMaintenance,
    dialog: (
      <>
        {draining.open && <MaintenanceDialog host={draining.open} onClose={draining.hide} />}
        {dedicating.open && <DedicateDialog host={dedicating.open} onClose={dedicating.hide} />}
      </>
    ),
  }
}
