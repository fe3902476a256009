import type { Cluster } from '@gantry/contract/clusters/clusters'
import { storage, Volume } from '@gantry/contract/clusters/storage'
import { t } from '../../../api/language.ts'
import { useRead } from '../../../api/hooks.ts'
import { Button } from '../../../ui/button.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { useDialog } from '../../../ui/feedback/dialog.tsx'
import { count } from '../../../ui/format.ts'
import { useListState } from '../../../ui/table/list-state.ts'
import { Section } from '../../../ui/page.tsx'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { timeColumn } from '../../../ui/table/time-column.tsx'
import { AgeNote, emptyUnless, isUntold } from '../pods/age-note.tsx'
import { CreateVolumeDialog } from './create-volume-dialog.tsx'
import { followed, useScope } from '../pods/follow.ts'
import { useVolumeActions } from './use-volume-actions.tsx'
import { VolumeState, volumeStateWord } from './volume-state.tsx'
import styles from './storage.module.css'

const needs = storage.createVolume

/** kubectl's abbreviations. */
const short: Record<string, string> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}

interface VolumeSectionProps {
  cluster: Cluster
  /** Why nothing can be changed. */
  disabled: string | false
}

const none = <span className="g-faint">–</span>

const columns = (): readonly Column<Volume>[] => [
  {
    key: 'name',
    title: t('storage-ui-name'),
    sort: true,
    mono: true,
    min: 240,
    cell: (row) => (
      <div className={styles.name}>
        {row.name}
        <small>{row.source}</small>
      </div>
    ),
  },
  { key: 'state', title: t('storage-ui-state'), sort: true, cell: (row) => <VolumeState volume={row} /> },
  {
    key: 'capacity',
    title: t('storage-ui-capacity'),
    align: 'right',
    sort: true,
    cell: (row) => `${count(row.capacity)} GiB`,
  },
  {
    key: 'modes',
    title: t('storage-ui-modes'),
    cell: ({ accessModes }) => (
      <span title={accessModes.join(', ')}>{accessModes.map((mode) => short[mode] ?? mode).join(', ')}</span>
    ),
  },
  { key: 'claim', title: t('storage-ui-claim'), sort: true, cell: (row) => <Claim volume={row} /> },
  { key: 'driver', title: t('storage-ui-driver'), sort: true, cell: (row) => row.driver || none },
  {
    key: 'policy',
    title: t('storage-ui-policy'),
    wideOnly: true,
    cell: (row) => (row.reclaimPolicy === 'Delete' ? t('storage-ui-delete') : t('storage-ui-retain')),
  },
  timeColumn('createdAt', t('storage-ui-created'), { sort: true, wideOnly: true }),
]

/** The persistent volumes that the user may see, with their claims and the pods that use them. */
export function VolumeSection({ cluster, disabled }: VolumeSectionProps) {
  // The filter has its own name, because hosts, on another tab, have states, too.
  const list = useListState('cluster-volumes', { filters: { volume: '' }, pageSize: 20 })
  const { volume, ...rest } = list.query
  const state = Volume.shape.state.safeParse(volume).data
  const query = useRead(
    storage.volumes,
    { params: { env: cluster.uuid }, query: { ...rest, ...(state && { state }) } },
    {
      of: { scope: useScope() },
      ...followed,
      // Changes of claims whose volumes are not on this page do not matter.
      concerns: (change, data) =>
        !('claimsIn' in change) || (data?.items.some(({ claim }) => claim?.namespace === change.claimsIn) ?? true),
    },
  )
  const adding = useDialog()
  const actionsOf = useVolumeActions(cluster, disabled)
  const add = { label: t('storage-ui-volume-create'), needs, onClick: () => adding.show(true) }
  return (
    <Section
      title={t('storage-ui-volumes')}
      about={t('storage-ui-volumes-about')}
      actions={
        <Button primary icon="add" needs={needs} disabled={disabled} onClick={add.onClick}>
          {add.label}
        </Button>
      }
    >
      <AgeNote age={query.data?.age} nothing={query.data?.totalSize === 0} />
      <ResourceTable
        label={t('storage-ui-volumes')}
        query={query}
        list={list}
        search={t('storage-ui-volume-search')}
        filters={[
          {
            name: 'volume',
            label: t('storage-ui-state'),
            options: [
              { value: '', label: t('ui-any') },
              ...Volume.shape.state.options.map((value) => ({ value, label: volumeStateWord(value) })),
            ],
          },
        ]}
        rowKey={(row) => row.name}
        nameOf={(row) => row.name}
        columns={columns()}
        actions={actionsOf}
        empty={emptyUnless(isUntold(query.data?.age), {
          type: 'other',
          title: t('storage-ui-volumes-none'),
          memo: t('storage-ui-volumes-none-memo'),
          ...(disabled === false && { add }),
        })}
      />
      {adding.open && <CreateVolumeDialog cluster={cluster} onClose={adding.hide} />}
    </Section>
  )
}

/** The number of a claim's pods that are named. */
const maxNamed = 3

function Claim({ volume: { claim } }: { volume: Volume }) {
  if (!claim) return none
  const { pods } = claim
  const words =
    pods.length === 0
      ? t('storage-ui-unused')
      : t('storage-ui-used-by', { pods: pods.slice(0, maxNamed).join(', ') + (pods.length > maxNamed ? ' …' : '') })
  return (
    <div className={styles.name}>
      {`${claim.namespace}/${claim.name}`}
      <small title={pods.join(', ')}>{words}</small>
    </div>
  )
}
