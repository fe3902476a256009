import type { ReactNode } from 'react'
import { clusters, type Cluster } from '@gantry/contract/clusters/clusters'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { confirm, confirmDelete, useDialog } from '../../../ui/feedback/dialog.tsx'
import { to, useGo } from '../../../ui/link.tsx'
import { type Action, deleteAction, editAction } from '../../../ui/table/row-actions.tsx'
import { EditClusterDialog } from './edit-cluster-dialog.tsx'

/** The word that the specification requires for deleting a cluster. */
const typed = 'OK'

/** An administrator's actions on a cluster; `dialog` must be rendered somewhere. */
export function useClusterActions(): {
  actionsOf: (cluster: Cluster, gone?: () => void) => Action[]
  dialog: ReactNode
} {
  const go = useGo()
  const editing = useDialog<Cluster>()
  const remove = useWrite(clusters.remove, { done: 'delete-success', quiet: true })
  const empty = useWrite(clusters.remove, {
    done: () => t('clusters-ui-empty-begun'),
    quiet: true,
  })
  const here = ({ teams }: Cluster) => [
    t('clusters-ui-delete-credentials'),
    ...teams.map(({ id, name }) => <span key={id}>{t('clusters-ui-delete-team', { name })}</span>),
  ]
  const askRemove = (cluster: Cluster) =>
    confirmDelete({
      title: t('clusters-ui-delete-title', { name: cluster.name }),
      goes: here(cluster),
      text: t(cluster.reach === 'agent' ? 'clusters-ui-delete-agent-text' : 'clusters-ui-delete-text'),
      typed,
      run: () =>
        remove.mutateAsync({ named: cluster.name, params: { uuid: cluster.uuid }, query: { confirm: cluster.name } }),
    })
  const askEmpty = (cluster: Cluster) =>
    confirm({
      title: t('clusters-ui-empty-title', { name: cluster.name }),
      goes: [t('clusters-ui-empty-namespaces'), t('clusters-ui-empty-objects'), ...here(cluster)],
      text: t('clusters-ui-empty-text'),
      warning: t('clusters-ui-empty-warning'),
      typed,
      danger: true,
      ok: t('clusters-ui-empty'),
      run: () =>
        empty.mutateAsync({ params: { uuid: cluster.uuid }, query: { confirm: cluster.name, action: 'complete' } }),
    })
  return {
    actionsOf: (cluster, gone) => {
      const disabled = cluster.sandbox && t('clusters-sandbox-kept')
      return [
        editAction({ needs: clusters.update, disabled, onClick: () => editing.show(cluster) }),
        {
          key: 'take-over',
          label: t('takeovers-ui-open'),
          icon: 'download',
          needs: to('cluster-take-over', { env_uuid: cluster.uuid }),
          onClick: () => go(to('cluster-take-over', { env_uuid: cluster.uuid })),
        },
        deleteAction({
          needs: clusters.remove,
          disabled,
          onClick: () => void askRemove(cluster).then((yes) => yes && gone?.()),
        }),
        {
          key: 'empty',
          label: t('clusters-ui-empty'),
          icon: 'archive',
          danger: true,
          needs: clusters.remove,
          disabled,
          onClick: () => void askEmpty(cluster).then((yes) => yes && gone?.()),
        },
      ]
    },
    dialog: editing.open && <EditClusterDialog cluster={editing.open} onClose={editing.hide} />,
  }
}
