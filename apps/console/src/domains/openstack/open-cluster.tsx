import { Select } from 'antd'
import { type Cluster, clusters } from '@gantry/contract/clusters/clusters'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { useTeamId } from '../../ui/link.tsx'
import { useUrlState } from '../../ui/table/url-state.ts'

/** The team’s clusters and the open one: the one in the address, otherwise the first. */
export function useOpenCluster() {
  const teamId = useTeamId()
  const query = useRead(clusters.ofTeam, { params: { teamId } }, { staleMs: 30_000 })
  const [{ env }, change] = useUrlState({ env: '' })
  const all = query.data
  return {
    query,
    all,
    chosen: all?.find(({ uuid }) => uuid === env) ?? all?.[0],
    choose: (uuid: string) => change({ env: uuid }),
  }
}

/** Why a cluster that several teams share can be changed by administrators only; false if it is not shared. */
export const whyShared = (cluster: Cluster | undefined): string | false =>
  cluster?.alone === false && t('clusters-shared')

export type OpenCluster = ReturnType<typeof useOpenCluster>

interface OpenClusterSelectProps {
  clusters: OpenCluster
  /** Called before another cluster opens. */
  onChoose?: () => void
}

export function OpenClusterSelect({ clusters: { query, all, chosen, choose }, onChoose }: OpenClusterSelectProps) {
  return (
    <Select
      aria-label={t('openstack-ui-environment')}
      prefix={<span className="g-faint">{t('openstack-ui-environment')}</span>}
      placeholder={t('ui-choose-one')}
      loading={query.isFetching}
      {...(chosen && { value: chosen.uuid })}
      options={(all ?? []).map(({ uuid, name, sandbox }) => ({
        value: uuid,
        label: sandbox ? `${name} · ${t('stacks-ui-simulated')}` : name,
      }))}
      onChange={(uuid) => {
        onChoose?.()
        choose(uuid)
      }}
      popupMatchSelectWidth={false}
    />
  )
}
