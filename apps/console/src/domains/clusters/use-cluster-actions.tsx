import type { ReactNode } from 'react'
import { environments, type Environment } from '@gantry/contract/clusters/environments'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { useUser } from '../../api/session.ts'
import { confirm, useDialog } from '../../ui/dialog.tsx'
import type { Action } from '../../ui/row-actions.tsx'
import { EditClusterDialog } from './edit-cluster-dialog.tsx'

/** What administrators can do with a cluster; `dialog` must be drawn somewhere. */
export function useClusterActions(): {
  actionsOf: (cluster: Environment, gone?: () => void) => Action[]
  dialog: ReactNode
} {
  const { admin } = useUser()
  const editing = useDialog<Environment>()
  const remove = useWrite(environments.remove, {
    refreshes: [environments.list, environments.ofTeam],
    done: 'delete-success',
    quiet: true,
  })
  const ask = (cluster: Environment) =>
    confirm({
      title: t('clusters-ui-delete-title', { name: cluster.name }),
      goes: [
        t('clusters-ui-delete-credentials'),
        ...cluster.teams.map(({ id, name }) => <span key={id}>{t('clusters-ui-delete-team', { name })}</span>),
      ],
      text: t('clusters-ui-delete-text'),
      typed: 'OK',
      danger: true,
      ok: t('ui-delete'),
      run: () => remove.mutateAsync({ params: { uuid: cluster.uuid } }),
    })
  return {
    actionsOf: (cluster, gone) => {
      const not = admin ? cluster.sandbox && t('clusters-sandbox-kept') : t('admin-only')
      return [
        { key: 'edit', label: t('ui-edit'), icon: 'edit', disabled: not, onClick: () => editing.show(cluster) },
        {
          key: 'delete',
          label: t('ui-delete'),
          icon: 'delete',
          danger: true,
          disabled: not,
          onClick: () => void ask(cluster).then((yes) => yes && gone?.()),
        },
      ]
    },
    dialog: editing.open && <EditClusterDialog cluster={editing.open} onClose={editing.hide} />,
  }
}
