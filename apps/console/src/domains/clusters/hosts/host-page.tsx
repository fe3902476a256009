import type { ReactNode } from 'react'
import { hosts, type HostDetail } from '@gantry/contract/clusters/hosts'
import { t } from '../../../api/language.ts'
import { useRead } from '../../../api/hooks.ts'
import { Button } from '../../../ui/button.tsx'
import { Loaded, type Reading } from '../../../ui/detail.tsx'
import { to, useGo, useParam } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { ActionMenu } from '../../../ui/table/row-actions.tsx'
import { type Tab, Tabs } from '../../../ui/tabs.tsx'
import { HostMetrics } from '../../monitoring/public.tsx'
import { HostDrain } from './host-drain.tsx'
import { HostEvents } from './host-events.tsx'
import { HostLabels } from './host-labels.tsx'
import { HostLogs } from './host-logs.tsx'
import { HostState, whyShared } from './host-marks.tsx'
import { HostOverview } from './host-overview.tsx'
import { PodsTab } from '../pods/pods-tab.tsx'
import { useHostActions } from './use-host-actions.tsx'

/** Conditions and usage of a host change without events, and are refetched at this interval. */
const every = 15_000

/** The tabs. Lists need only the host's name: they load in parallel with the host. */
const tabsOf = (env: string, name: string, query: Reading<HostDetail>): readonly Tab[] => {
  const whole = (view: (host: HostDetail) => ReactNode) => () => <Loaded query={query}>{view}</Loaded>
  return [
    { key: 'overview', label: t('hosts-ui-tab-overview'), content: whole((host) => <HostOverview host={host} />) },
    { key: 'pods', label: t('hosts-ui-tab-pods'), content: () => <PodsTab env={env} host={name} /> },
    { key: 'metrics', label: t('monitoring-ui-tab'), content: () => <HostMetrics env={env} host={name} /> },
    { key: 'events', label: t('hosts-ui-tab-events'), content: () => <HostEvents env={env} name={name} /> },
    { key: 'labels', label: t('hosts-ui-tab-labels'), content: whole((host) => <HostLabels host={host} />) },
    { key: 'logs', label: t('hosts-ui-tab-logs'), content: whole((host) => <HostLogs host={host} />) },
  ]
}

/** One host of a cluster. */
export function HostPage() {
  const go = useGo()
  const [env, name] = [useParam('env_uuid'), useParam('host_name')]
  const query = useRead(hosts.get, { params: { env, host: name } }, { every, keep: false })
  const { actionsOf, maintain, endMaintenance, dialog } = useHostActions()
  const host = query.data
  const missing = !host && query.isFetched
  const cluster = to('cluster-detail', { env_uuid: env }, { tab: 'hosts' })
  return (
    <Page
      title={
        <span className="g-title">
          {name}
          {host && <HostState host={host} />}
        </span>
      }
      about={useParam('host_ip')}
      crumbs={[
        { label: t('route-resourcemanager-environments-new'), to: to('resourcemanager-environments-new') },
        { label: host?.envName ?? '…', to: cluster },
      ]}
      actions={
        // Rendered before the host is loaded, so that nothing moves when it arrives.
        !missing && (
          <>
            {host?.maintenance?.state !== 'draining' && host?.state !== 'maintenance' && (
              <Button
                icon="gear"
                needs={hosts.maintenance}
                disabled={
                  host ? whyShared(host) || (host.controller && t('hosts-controller', { host: name })) : t('ui-loading')
                }
                onClick={() => host && maintain(host)}
              >
                {t('hosts-ui-maintenance')}
              </Button>
            )}
            <ActionMenu
              label={t('ui-actions-of', { name })}
              actions={
                host
                  ? actionsOf(host, () => go(cluster, { replace: true })).filter(({ key }) => key !== 'maintain')
                  : []
              }
            />
          </>
        )
      }
    >
      {host && <HostDrain host={host} onEnd={() => endMaintenance(host)} />}
      {missing ? <Loaded query={query}>{() => null}</Loaded> : <Tabs tabs={tabsOf(env, name, query)} />}
      {dialog}
    </Page>
  )
}
