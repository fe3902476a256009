import { type Zone, zones } from '@gantry/contract/openstack/zones'
import { useRead, useWrite } from '../../api/hooks.ts'
import { refreshReads } from '../../api/queries.ts'
import { t } from '../../api/language.ts'
import { confirmDelete } from '../../ui/feedback/dialog.tsx'
import { to, useGo } from '../../ui/link.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { deleteAction } from '../../ui/table/row-actions.tsx'
import { OpenClusterSelect, useOpenCluster, whyShared } from './open-cluster.tsx'
import { askAgain, howRemoved, wholePage } from './use-openstacks.tsx'
import { matching } from './zone-search.ts'
import { ZoneState } from './zone-state.tsx'

const detail = (row: Zone) => to('resourcemanager-zone-detail', { zone_uuid: row.uuid, env_uuid: row.envUuid })

function useRemoveZone(): (row: Zone) => Promise<boolean> {
  const remove = useWrite(zones.remove, { done: howRemoved, quiet: true })
  return ({ name, uuid, envUuid, written }) =>
    confirmDelete({
      title: t('zones-ui-delete-title', { name }),
      text: t('zones-ui-delete-text'),
      goes: [t('zones-ui-delete-goes', { name: written.configMap, namespace: written.namespace })],
      run: () =>
        remove
          .mutateAsync({ named: `${t('noun-zone')} ${name}`, params: { env: envUuid, uuid } })
          .finally(() => void refreshReads([zones.remove])),
    })
}

function useZones(env: string | undefined) {
  const input = { params: { env: env ?? '' }, query: wholePage }
  const options = { enabled: env !== undefined, keep: false }
  const query = useRead(zones.list, input, options)
  useRead(zones.list, input, { ...options, every: askAgain(query.data?.items) })
  return query
}

/** The zones of one cluster, searched in the browser by their names and their OpenStack's. */
export function ZoneListPage() {
  const go = useGo()
  const clusters = useOpenCluster()
  const env = clusters.chosen?.uuid
  const shared = whyShared(clusters.chosen)
  const list = useListState('resourcemanager-zone')
  const all = useZones(env)
  const remove = useRemoveZone()
  const without = clusters.all?.length === 0
  const query = without || clusters.query.error ? clusters.query : all
  return (
    <ListPage
      title={t('route-resourcemanager-zone')}
      about={t('zones-ui-about')}
      add={{
        label: t('zones-ui-add'),
        needs: zones.create,
        ...(env === undefined ? { disabled: t('openstack-ui-no-environment') } : shared && { disabled: shared }),
        onClick: () => go(to('resourcemanager-zone-add', {}, { env })),
      }}
      query={{ ...query, data: without ? [] : all.data && matching(all.data, list) }}
      list={list}
      search={t('zones-ui-search')}
      toolbar={<OpenClusterSelect clusters={clusters} onChoose={() => list.setKeyword('')} />}
      rowKey={(row) => row.uuid}
      nameOf={(row) => row.name}
      open={detail}
      columns={[
        {
          key: 'name',
          title: t('zones-ui-name'),
          cell: (row) => row.name,
        },
        { key: 'environment', title: t('zones-ui-environment'), cell: (row) => row.k8s.name },
        { key: 'openstack', title: t('zones-ui-openstack'), cell: (row) => row.openStackName },
        { key: 'subnet', title: t('zones-ui-subnet'), cell: (row) => <Subnet zone={row} /> },
        { key: 'state', title: t('zones-ui-state'), cell: (row) => <ZoneState zone={row} /> },
      ]}
      actions={(row) => [
        { key: 'details', label: t('zones-ui-details'), icon: 'eye', onClick: () => go(detail(row)) },
        deleteAction({ needs: zones.remove, disabled: shared, onClick: () => void remove(row) }),
      ]}
      empty={
        without
          ? { type: 6, title: t('openstack-ui-no-environment'), memo: t('openstack-ui-no-environment-memo') }
          : { type: 6, title: t('zones-ui-none'), memo: t('zones-ui-none-memo') }
      }
    />
  )
}

const Subnet = ({ zone: { names, neutronDefaults } }: { zone: Zone }) =>
  names[neutronDefaults.podSubnet] ?? neutronDefaults.podSubnet
