import type { Cluster } from '@gantry/contract/clusters/clusters'
import { storage, type Volume } from '@gantry/contract/clusters/storage'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { confirm, confirmDelete } from '../../../ui/feedback/dialog.tsx'
import { count } from '../../../ui/format.ts'
import { type Action, deleteAction } from '../../../ui/table/row-actions.tsx'

const stateKeys = {
  Pending: 'storage-volume-is-pending',
  Available: 'storage-volume-is-available',
  Bound: 'storage-volume-is-bound',
  Released: 'storage-volume-is-released',
  Failed: 'storage-volume-is-failed',
} as const

const claimOf = ({ claim }: Volume): string => (claim ? `${claim.namespace}/${claim.name}` : '')

/** Why an action is not possible in the volume's state, in the server's words. */
const unless = (volume: Volume, ...states: Volume['state'][]): string | false =>
  (volume.heldBy !== null && t('storage-volume-deleting', { name: volume.name })) ||
  (!states.includes(volume.state) && t(stateKeys[volume.state], { name: volume.name, claim: claimOf(volume) }))

export function useVolumeActions({ uuid }: Cluster, disabled: string | false): (volume: Volume) => Action[] {
  const activate = useWrite(storage.activate, { done: 'option-success', quiet: true })
  const reclaim = useWrite(storage.reclaim, { quiet: true })
  const remove = useWrite(storage.removeVolume, { done: 'delete-success', quiet: true })
  const of = ({ name }: Volume) => ({ params: { env: uuid, name } })
  const size = ({ capacity }: Volume) => count(capacity)

  const askActivate = (volume: Volume) =>
    confirm({
      title: t('storage-ui-activate-title', { name: volume.name }),
      text: t('storage-ui-activate-text'),
      ok: t('storage-ui-activate'),
      run: () => activate.mutateAsync({ named: volume.name, ...of(volume) }),
    })
  const askReclaim = (volume: Volume) =>
    confirm({
      title: t('storage-ui-reclaim-title', { name: volume.name }),
      goes: [
        t('storage-ui-goes-volume', { name: volume.name }),
        t('storage-ui-goes-data', { size: size(volume), source: volume.source }),
      ],
      warning: t('storage-ui-reclaim-warning'),
      typed: volume.name,
      danger: true,
      ok: t('storage-ui-reclaim'),
      run: async () => {
        const after = await reclaim.mutateAsync(of(volume))
        if (after.state === 'Failed')
          toast.warn(t('storage-ui-reclaim-failed', { name: after.name, message: after.message }))
        else toast.ok(t('option-success', { object: `${t('noun-volume')} ${volume.name}` }))
      },
    })
  const askRemove = (volume: Volume) =>
    confirmDelete({
      title: t('storage-ui-remove-title', { name: volume.name }),
      goes: [t('storage-ui-goes-volume', { name: volume.name })],
      text: t('storage-ui-remove-text', { size: size(volume), source: volume.source }),
      typed: volume.name,
      run: () => remove.mutateAsync({ named: volume.name, ...of(volume) }),
    })

  return (volume) => [
    {
      key: 'activate',
      label: t('storage-ui-activate'),
      icon: 'play',
      needs: storage.activate,
      disabled: disabled || unless(volume, 'Released', 'Failed'),
      onClick: () => void askActivate(volume),
    },
    {
      key: 'reclaim',
      label: t('storage-ui-reclaim'),
      icon: 'rollback',
      danger: true,
      needs: storage.reclaim,
      disabled: disabled || unless(volume, 'Released'),
      onClick: () => void askReclaim(volume),
    },
    deleteAction({
      needs: storage.removeVolume,
      disabled: disabled || (volume.state === 'Bound' && unless(volume, 'Available')),
      onClick: () => void askRemove(volume),
    }),
  ]
}
