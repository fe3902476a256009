import { Select, Switch } from 'antd'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { containers } from '@gantry/contract/stacks/containers'
import type { ServiceDetail } from '@gantry/contract/stacks/services'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { download } from '../../../api/transfer.ts'
import { Button } from '../../../ui/button.tsx'
import { Loaded } from '../../../ui/detail.tsx'
import { useStreamLog, type LogFeed } from '../../../ui/log/log-feed.ts'
import { LogView } from '../../../ui/log/log-view.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { followLogs, type Followed, type FollowState } from './log-follower.ts'
import { canLog, keyOf, shortPod, useContainers, type Row } from './use-containers.ts'
import styles from './containers.module.css'

/** How far back a log is read before it is followed. */
const depths = ['500', '2000', '5000'] as const

/** The logs of a service: all its pods as one stream, one container's, or that of its previous instance. */
export function ServiceLog({ service }: { service: ServiceDetail }) {
  const query = useContainers(service)
  return <Loaded query={query}>{(list) => <Logs service={service} rows={list.items} />}</Loaded>
}

function Logs({ service, rows }: { service: ServiceDetail; rows: readonly Row[] }) {
  const [{ pod, previous, depth }, setUrl] = useUrlState({ pod: '', previous: '', depth: '500', line: '' })
  const chosen = rows.find((row) => keyOf(row) === pod)
  const several = rows.some((row) => rows.some((other) => other.podId === row.podId && other.name !== row.name))
  const nameOf = (row: Row): string => {
    const short = shortPod(row.podName, service.name)
    return several ? `${short} / ${row.name}` : short
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
          onChange={(next) => setUrl({ pod: next, previous: '', line: '' })}
        />
        <Select
          aria-label={t('stacks-ui-depth')}
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
      </div>
      {pod !== '' && !chosen && (
        <p className="g-note">
          {t('stacks-ui-pod-gone', { pod: pod.split('/')[0] ?? pod })}{' '}
          <Button quiet small onClick={() => setUrl({ pod: '', line: '' }, { replace: true })}>
            {t('stacks-ui-pod-show-all')}
          </Button>
        </p>
      )}
      {before && crashed ? (
        <PreviousLog key={keyOf(crashed)} service={service} row={crashed} />
      ) : (
        <FollowedLog
          key={`${pod}/${quantity}`}
          service={service}
          rows={pod === '' ? rows : chosen ? [chosen] : []}
          merged={pod === ''}
          quantity={quantity}
          nameOf={nameOf}
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

/** A pod's name before its lines, in a colour of its own: cyan, magenta, yellow, blue, green. */
const colours = [36, 35, 33, 34, 32] as const

interface FollowedProps {
  service: ServiceDetail
  rows: readonly Row[]
  /** Lines of all pods in one stream, each with its pod's name. */
  merged: boolean
  quantity: number
  nameOf: (row: Row) => string
}

function FollowedLog({ service, rows, merged, quantity, nameOf }: FollowedProps) {
  const feed = useStreamLog()
  const [states, setStates] = useState<ReadonlyMap<string, FollowState>>(new Map())
  const readable = rows.filter(canLog)
  const follower = useRef<ReturnType<typeof followLogs>>(undefined)
  const marks = useRef(new Map<string, string>())

  /** Names outlive their pods: the last lines of a deleted one may still arrive. */
  const markOf = (key: string): string => {
    const known = marks.current.get(key)
    if (known !== undefined) return known
    const row = rows.find((one) => keyOf(one) === key)
    const mark = `\u001b[${colours[marks.current.size % colours.length]}m${row ? nameOf(row) : key}\u001b[0m `
    marks.current.set(key, mark)
    return mark
  }
  const append = useEffectEvent((lines: readonly { key: string; at: string; text: string }[]) => {
    const named = merged && (rows.length > 1 || marks.current.size > 0)
    feed.append(lines.map(({ key, at: when, text }) => ({ at: when, text: named ? markOf(key) + text : text })))
  })
  const start = useEffectEvent(() => {
    const made = followLogs(quantity, {
      lines: append,
      states: setStates,
    })
    follower.current = made
    feed.clear()
    return made.close
  })
  useEffect(() => start(), [])
  const targets = readable.map((row): Followed => ({ key: keyOf(row), ...at(service, row) }))
  // As text: rows are refetched often, and are mostly equal.
  const wanted = JSON.stringify(targets)
  useEffect(() => follower.current?.set(JSON.parse(wanted) as Followed[]), [wanted])

  const waiting = [...states].filter(([, { state }]) => state === 'waiting')
  const reasons = new Set(waiting.flatMap(([, { reason }]) => reason || []))
  const only = !merged && rows[0]
  return (
    <>
      <LogView
        feed={feed}
        name={only ? only.podName : service.name}
        {...(only ? { onDownload: () => save(service, only, false) } : {})}
      />
      <p className="g-faint g-small" aria-live="polite">
        {rows.length === 0
          ? t('stacks-ui-follow-none')
          : waiting.length > 0
            ? [
                t('stacks-ui-follow-waiting', {
                  names: waiting.map(([key]) => shortPod(key.split('/')[0] ?? key, service.name)).join(', '),
                }),
                ...reasons,
              ].join(' ')
            : readable.length < rows.length
              ? t('stacks-ui-follow-starting', { count: rows.length - readable.length })
              : t('stacks-ui-follow-open', { count: readable.length })}
      </p>
    </>
  )
}

/** What a container wrote before it was started again; it does not grow. */
function PreviousLog({ service, row }: { service: ServiceDetail; row: Row }) {
  const query = useRead(
    containers.log,
    { params: at(service, row), query: { previous: 'true', quantity: 5000 } },
    { keep: false },
  )
  const { data, error, isPending } = query
  const feed = useMemo((): LogFeed => {
    const lines = data?.lines ?? []
    return {
      first: 1,
      last: lines.length,
      line: (n) => {
        const line = lines[n - 1]
        return line && { n, ...line }
      },
      want: () => undefined,
      live: false,
      loading: isPending,
      ...(error ? { error } : {}),
    }
  }, [data, error, isPending])
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
