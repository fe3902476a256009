import { containerFiles } from '@gantry/contract/stacks/containers/files'
import { monitoring } from '@gantry/contract/monitoring/metrics'
import { containers } from '@gantry/contract/stacks/containers/containers'
import { type ServiceDetail } from '@gantry/contract/stacks/services'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm } from '../../../ui/feedback/dialog.tsx'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { Time } from '../../../ui/time.tsx'
import { useGo } from '../../../ui/link.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { ContainerBadge, ImageName } from '../services/badges.tsx'
import { toMonitor } from '../stacks/places.ts'
import { canExec, canLog, keyOf, useContainers, type Row } from './use-containers.ts'

/** A service's containers, including those of the old revision, with links to their logs and terminals. */
export function ContainerTable({ service }: { service: ServiceDetail }) {
  const query = useContainers(service)
  const go = useGo()
  const [, setUrl] = useUrlState({ tab: 'containers', pod: '', previous: '', shell: '', line: '', in: '', path: '' })
  const replacing = { done: 'option-success', quiet: true } as const
  const replacements = {
    start: useWrite(containers.start, replacing),
    restart: useWrite(containers.restart, replacing),
    remove: useWrite(containers.remove, replacing),
  }
  const openLog = (row: Row, previous = false) =>
    setUrl({ tab: 'log', pod: keyOf(row), previous: previous ? '1' : '', line: '' })
  const openShell = (row: Row) => setUrl({ tab: 'terminal', shell: keyOf(row) })
  const replace = (row: Row, action: keyof typeof replacements) =>
    confirm({
      title: t(`stacks-ui-pod-${action}-title`, { pod: row.podName }),
      text: t('stacks-ui-pod-replaced'),
      danger: true,
      ok: t(`stacks-ui-pod-${action}`),
      run: () =>
        replacements[action].mutateAsync({
          named: row.name,
          params: { teamId: service.teamId, envId: service.envId, id: row.podId },
          query: { container: row.name },
        }),
    })
  const debug = useWrite(containers.debug, { done: 'option-success' })
  const look = (row: Row): void => {
    const params = { teamId: service.teamId, envId: service.envId, id: row.podId }
    debug.mutate(
      { named: row.name, params, query: { container: row.name } },
      {
        onSuccess: ({ container }) => void query.refetch().then(() => openShell({ ...row, name: container })),
      },
    )
  }
  const execute = containers.execute
  const sidecars = query.data?.items.some((row, _, all) =>
    all.some((o) => o.podId === row.podId && o.name !== row.name),
  )
  return (
    <ResourceTable
      label={t('stacks-ui-containers-of', { name: service.name })}
      query={query}
      rowKey={keyOf}
      nameOf={(row) => row.podName}
      columns={[
        {
          key: 'pod',
          title: t('stacks-ui-pod'),
          cell: (row) => (
            <div>
              <span className="g-mono">{row.podName}</span>
              {sidecars && <span className="g-faint"> / {row.name}</span>}
              {row.message !== '' && (
                // the cluster's own text, which is English
                <p className="g-message g-bad" lang="en" title={row.message}>
                  {row.message}
                </p>
              )}
            </div>
          ),
        },
        {
          key: 'state',
          title: t('stacks-ui-state'),
          width: 132,
          cell: (row) => <ContainerBadge state={row.state} ready={row.ready} />,
        },
        {
          key: 'restarts',
          title: t('stacks-ui-restarts'),
          align: 'right',
          width: 80,
          cell: (row) => (row.restarts > 0 ? <b className="g-bad">{row.restarts}</b> : 0),
        },
        {
          key: 'revision',
          title: t('stacks-ui-revision'),
          align: 'right',
          width: 80,
          cell: (row) => row.revision || '–',
        },
        {
          key: 'image',
          title: t('stacks-ui-image'),
          wideOnly: true,
          cell: (row) => <ImageName image={row.image} digest={row.digest} />,
        },
        {
          key: 'node',
          title: t('stacks-ui-node'),
          mono: true,
          wideOnly: true,
          cell: (row) => row.node || '–',
        },
        {
          key: 'ip',
          title: t('stacks-ui-ip'),
          mono: true,
          extra: true,
          cell: (row) => row.ip || '–',
        },
        { key: 'age', title: t('stacks-ui-started'), width: 112, cell: (row) => <Time at={row.startedAt} /> },
        {
          key: 'look',
          title: t('stacks-ui-look'),
          width: 120,
          cell: (row) => (
            <span className="g-line-buttons">
              <Button
                small
                quiet
                icon="log"
                label={t('stacks-ui-log-of', { name: row.podName })}
                needs={containers.log}
                disabled={!canLog(row) && t('stacks-ui-log-not-yet')}
                onClick={() => openLog(row)}
              />
              <Button
                small
                quiet
                icon="terminal"
                label={t('stacks-ui-terminal-of', { name: row.podName })}
                needs={execute}
                disabled={!canExec(row) && t('stacks-ui-terminal-not-running')}
                onClick={() => openShell(row)}
              />
              <Button
                small
                quiet
                icon="metrics"
                label={t('monitoring-ui-of', { name: row.podName })}
                needs={monitoring.query}
                onClick={() => go(toMonitor(service, row.podName))}
              />
            </span>
          ),
        },
      ]}
      actions={(row) => [
        {
          key: 'log',
          label: t('stacks-ui-log'),
          icon: 'log',
          needs: containers.log,
          disabled: !canLog(row) && t('stacks-ui-log-not-yet'),
          onClick: () => openLog(row),
        },
        {
          key: 'previous',
          label: t('stacks-ui-log-previous'),
          icon: 'rollback',
          needs: containers.logFile,
          disabled: row.restarts === 0 && t('stacks-no-previous-log'),
          onClick: () => openLog(row, true),
        },
        {
          key: 'terminal',
          label: t('stacks-ui-terminal'),
          icon: 'terminal',
          needs: execute,
          disabled: !canExec(row) && t('stacks-ui-terminal-not-running'),
          onClick: () => openShell(row),
        },
        {
          key: 'files',
          label: t('stacks-ui-files'),
          icon: 'archive',
          needs: containerFiles.list,
          disabled: !canExec(row) && t('stacks-ui-terminal-not-running'),
          onClick: () => setUrl({ tab: 'files', in: keyOf(row), path: '' }),
        },
        {
          key: 'debug',
          label: t('stacks-ui-debug'),
          icon: 'terminal',
          needs: containers.debug,
          disabled:
            row.role === 'debug' ? t('stacks-ui-debug-itself') : !canExec(row) && t('stacks-ui-terminal-not-running'),
          onClick: () => look(row),
        },
        {
          key: 'metrics',
          label: t('monitoring-ui-tab'),
          icon: 'metrics',
          needs: monitoring.query,
          onClick: () => go(toMonitor(service, row.podName)),
        },
        {
          key: 'start',
          label: t('stacks-ui-pod-start'),
          icon: 'play',
          needs: containers.start,
          disabled: canExec(row) && t('stacks-container-runs', { container: row.name }),
          onClick: () => void replace(row, 'start'),
        },
        {
          key: 'restart',
          label: t('stacks-ui-pod-restart'),
          icon: 'refresh',
          danger: true,
          needs: containers.restart,
          onClick: () => void replace(row, 'restart'),
        },
        {
          key: 'remove',
          label: t('stacks-ui-pod-remove'),
          icon: 'delete',
          danger: true,
          needs: containers.remove,
          onClick: () => void replace(row, 'remove'),
        },
      ]}
      empty={{
        type: 'other',
        title: t('stacks-ui-containers-none'),
        memo: t(service.replicas === 0 ? 'stacks-ui-containers-none-zero' : 'stacks-ui-containers-none-memo'),
      }}
    />
  )
}
