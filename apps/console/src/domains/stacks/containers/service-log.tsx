import { Select, Switch } from 'antd'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { containers } from '@gantry/contract/stacks/containers/containers'
import type { LogSource } from '@gantry/contract/stacks/containers/logs'
import type { ServiceDetail } from '@gantry/contract/stacks/services'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { download } from '../../../api/transfer.ts'
import { Button } from '../../../ui/button.tsx'
import { Loaded } from '../../../ui/detail.tsx'
import { useStreamLog } from '../../../ui/log/log-feed.ts'
import { LogView } from '../../../ui/log/log-view.tsx'
import { SearchBox } from '../../../ui/table/search-box.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { followLogs, type FollowLine, type FollowState } from './log-follower.ts'
import { FoundLines, LogFileSelect, LogFileView } from './log-places.tsx'
import { feedOf } from './still-log.ts'
import { canExec, keyOf, shortPod, useContainers, type Row } from './use-containers.ts'
import styles from './containers.module.css'

/** The number of past lines that are read before following. */
const depths = ['500', '2000', '5000'] as const

/** The logs of a service: those of all its pods merged, of one container, or of its previous run. */
export function ServiceLog({ service }: { service: ServiceDetail }) {
  const query = useContainers(service)
  return <Loaded query={query}>{(list) => <Logs service={service} rows={list.items} />}</Loaded>
}

function Logs({ service, rows }: { service: ServiceDetail; rows: readonly Row[] }) {
  const [{ pod, previous, depth, file, search }, setUrl] = useUrlState({
    pod: '',
    previous: '',
    depth: '500',
    line: '',
    file: '',
    search: '',
  })
  const chosen = rows.find((row) => keyOf(row) === pod)
  const several = rows.some((row) => rows.some((other) => other.podId === row.podId && other.name !== row.name))
  const nameOf = (row: Row): string => {
    const short = shortPod(row.podName, service.name)
    return several ? `${short} / ${row.name}` : short
  }
  const shortOf = (podName: string, container: string): string => {
    const short = shortPod(podName, service.name)
    return several || container !== rows[0]?.name ? `${short} / ${container}` : short
  }
  const quantity = Number(depths.find((one) => one === depth) ?? depths[0])
  const crashed = chosen ?? rows.find((row) => row.restarts > 0)
  const before = previous === '1' && crashed !== undefined && crashed.restarts > 0
  return (
    <div className={styles.log}>
      <div className="g-bar">
        <Select
          aria-label={t('stacks-ui-pod')}
          prefix={<span className="g-faint">{t('stacks-ui-pod')}</span>}
          popupMatchSelectWidth={false}
          className={`${styles.podSelect}`}
          value={before && crashed ? keyOf(crashed) : chosen ? pod : ''}
          options={[
            { value: '', label: t('stacks-ui-pod-all', { count: rows.length }) },
            ...rows.map((row) => ({
              value: keyOf(row),
              label: row.ready ? nameOf(row) : `${nameOf(row)} · ${row.state.toLowerCase()}`,
            })),
          ]}
          onChange={(next) => setUrl({ pod: next, previous: '', line: '', file: '' })}
        />
        <Select
          aria-label={t('stacks-ui-depth')}
          prefix={<span className="g-faint">{t('stacks-ui-depth')}</span>}
          value={String(quantity)}
          popupMatchSelectWidth={false}
          options={depths.map((value) => ({ value, label: t('stacks-ui-depth-lines', { count: value }) }))}
          onChange={(next) => setUrl({ depth: next, line: '' }, { replace: true })}
        />
        {crashed && crashed.restarts > 0 && (
          <label className={styles.toggle}>
            <Switch
              size="small"
              checked={before}
              onChange={(on) => setUrl({ pod: keyOf(crashed), previous: on ? '1' : '', line: '' })}
            />
            {t('stacks-ui-log-previous')}
          </label>
        )}
        {chosen && canExec(chosen) && (
          <LogFileSelect
            service={service}
            row={chosen}
            value={file}
            onChange={(next) => setUrl({ file: next, line: '' })}
          />
        )}
        <SearchBox
          label={t('stacks-ui-log-search')}
          value={search}
          onSearch={(next) => setUrl({ search: next, line: '' })}
        />
      </div>
      {pod !== '' && !chosen && (
        <p className="g-note">
          {t('stacks-ui-pod-gone', { pod: pod.split('/')[0] ?? pod })}{' '}
          <Button quiet small onClick={() => setUrl({ pod: '', line: '' }, { replace: true })}>
            {t('stacks-ui-pod-show-all')}
          </Button>
        </p>
      )}
      {search !== '' ? (
        <FoundLines key={`${pod}/${search}`} service={service} pod={pod} text={search} nameOf={shortOf} />
      ) : file !== '' && chosen ? (
        <LogFileView key={`${pod}/${file}`} service={service} row={chosen} path={file} />
      ) : before && crashed ? (
        <PreviousLog key={keyOf(crashed)} service={service} row={crashed} />
      ) : (
        <FollowedLog
          key={`${pod}/${quantity}`}
          service={service}
          row={chosen}
          pod={pod}
          quantity={quantity}
          nameOf={shortOf}
        />
      )}
    </div>
  )
}

const at = ({ teamId, envId }: ServiceDetail, { podId, name }: Row) => ({ teamId, envId, podId, name })

const save = (service: ServiceDetail, row: Row, previous: boolean): void => {
  const file = `${row.podName}${previous ? '-previous' : ''}.log`
  download(containers.logFile, { params: at(service, row), query: previous ? { previous: 'true' } : {} }, file).catch(
    toast.error,
  )
}

/** ANSI colours of pods' names before their lines: cyan, magenta, yellow, blue, green. */
const colours = [36, 35, 33, 34, 32] as const

interface FollowedProps {
  service: ServiceDetail
  /** The only container to show. */
  row: Row | undefined
  pod: string
  quantity: number
  nameOf: (podName: string, container: string) => string
}

const none: FollowState = { state: 'connecting', reason: '', sources: [], left: 0 }

/** The merged logs of all containers, each line with its pod's name, or the log of one container. */
function FollowedLog({ service, row, pod, quantity, nameOf }: FollowedProps) {
  const feed = useStreamLog()
  const [follow, setFollow] = useState<FollowState>(none)
  const marks = useRef(new Map<string, string>())
  const markOf = ({ pod: podName, container, previous }: LogSource): string => {
    const key = `${podName}/${container}`
    const colour = marks.current.get(key) ?? `\u001b[${colours[marks.current.size % colours.length]}m`
    marks.current.set(key, colour)
    const name = nameOf(podName, container)
    return `${colour}${previous ? t('stacks-ui-log-before', { name }) : name}\u001b[0m `
  }
  const append = useEffectEvent((lines: readonly FollowLine[]) => {
    feed.append(
      lines.map(({ source, at, text }) => ({ at, text: source && pod === '' ? markOf(source) + text : text })),
    )
  })
  const start = useEffectEvent(() =>
    followLogs(
      { teamId: service.teamId, envId: service.envId, id: service.id, pod, quantity },
      { lines: append, state: setFollow, anew: feed.clear },
    ),
  )
  useEffect(() => start(), [])
  const { sources, state, reason, left } = follow
  const open = sources.filter((one) => one.state === 'open').length
  const waiting = sources.filter((one) => one.state === 'waiting')
  // Distinguishes an empty log from one that is still loading.
  const settled = state === 'open' && sources.every((one) => one.state !== 'connecting')
  return (
    <>
      <LogView
        feed={settled ? { ...feed, loading: false } : feed}
        name={row ? row.podName : service.name}
        {...(row ? { onDownload: () => save(service, row, false) } : {})}
      />
      <p className="g-faint g-small" aria-live="polite">
        {state === 'waiting'
          ? [t('stacks-ui-follow-broken'), reason].join(' ')
          : waiting.length > 0
            ? [
                t('stacks-ui-follow-waiting', {
                  names: [...new Set(waiting.map((one) => nameOf(one.pod, one.container)))].join(', '),
                }),
                ...new Set(waiting.map((one) => one.reason)),
              ].join(' ')
            : open === 0
              ? t('stacks-ui-follow-none')
              : t('stacks-ui-follow-open', { count: open })}
        {left > 0 && ` ${t('stacks-ui-follow-left', { count: left })}`}
      </p>
    </>
  )
}

/** The log of a container's run before its restart; it does not grow. */
function PreviousLog({ service, row }: { service: ServiceDetail; row: Row }) {
  const query = useRead(
    containers.log,
    { params: at(service, row), query: { previous: 'true', quantity: 5000 } },
    { keep: false },
  )
  const { data, error, isPending } = query
  const feed = useMemo(() => feedOf(data?.lines ?? [], isPending, error), [data, error, isPending])
  return (
    <>
      {data?.truncated && <p className="g-note">{t('stacks-ui-log-cut')}</p>}
      <LogView
        feed={feed}
        name={`${row.podName}-previous`}
        retry={() => void query.refetch()}
        onDownload={() => save(service, row, true)}
      />
    </>
  )
}
