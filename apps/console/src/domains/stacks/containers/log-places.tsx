import { Select } from 'antd'
import { useMemo, useState } from 'react'
import { containers } from '@gantry/contract/stacks/containers/containers'
import { serviceLogs } from '@gantry/contract/stacks/containers/logs'
import type { ServiceDetail } from '@gantry/contract/stacks/services'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { bytes } from '../../../ui/format.ts'
import { LogView } from '../../../ui/log/log-view.tsx'
import { feedOf } from './still-log.ts'
import type { Row } from './use-containers.ts'
import styles from './containers.module.css'

interface OfContainer {
  service: ServiceDetail
  row: Row
}

/** Selects a container's output, or one of its log files. */
export function LogFileSelect({
  service: { teamId, envId },
  row,
  value,
  onChange,
}: OfContainer & { value: string; onChange: (path: string) => void }) {
  const { data } = useRead(containers.paths, { params: { teamId, envId, podId: row.podId } }, { staleMs: 30_000 })
  const files = data?.files.filter(({ container }) => container === row.name) ?? []
  if (files.length === 0 && value === '') return null
  return (
    <Select
      aria-label={t('stacks-ui-log-file')}
      prefix={<span className="g-faint">{t('stacks-ui-log-file')}</span>}
      className={styles.podSelect ?? ''}
      popupMatchSelectWidth={false}
      value={value}
      options={[
        { value: '', label: t('stacks-ui-log-output') },
        ...files.map(({ path, size }) => ({ value: path, label: `${path} · ${bytes(size)}` })),
      ]}
      onChange={onChange}
    />
  )
}

const linesAtOnce = 2000

/** A part of a log file, and buttons for the parts before and after it. */
export function LogFileView({ service: { teamId, envId }, row, path }: OfContainer & { path: string }) {
  const [at, setAt] = useState<{ whence: 'start' | 'end'; offset: number; direction: 'forward' | 'backward' }>()
  const query = useRead(
    containers.log,
    { params: { teamId, envId, podId: row.podId, name: row.name }, query: { path, quantity: linesAtOnce, ...at } },
    { keep: false },
  )
  const { data, error, isPending } = query
  const feed = useMemo(() => feedOf(data?.lines ?? [], isPending, error), [data, error, isPending])
  const { from = 0, to = 0, size = 0 } = data?.file ?? {}
  const start = from === 0 && t('stacks-ui-log-start-shown')
  const end = to >= size && t('stacks-ui-log-end-shown')
  return (
    <>
      <div className="g-bar">
        <Button
          small
          quiet
          disabled={start}
          onClick={() => setAt({ whence: 'start', offset: 0, direction: 'forward' })}
        >
          {t('stacks-ui-log-start')}
        </Button>
        <Button
          small
          quiet
          disabled={start}
          onClick={() => setAt({ whence: 'start', offset: from, direction: 'backward' })}
        >
          {t('stacks-ui-log-older')}
        </Button>
        <Button small quiet disabled={end} onClick={() => setAt({ whence: 'start', offset: to, direction: 'forward' })}>
          {t('stacks-ui-log-newer')}
        </Button>
        <Button small quiet icon="refresh" onClick={() => (at ? setAt(undefined) : void query.refetch())}>
          {t('stacks-ui-log-end')}
        </Button>
        {data?.file && (
          <span className="g-faint g-small">
            {t('stacks-ui-log-span', { from: bytes(from), to: bytes(to), size: bytes(size) })}
          </span>
        )}
      </div>
      <LogView feed={feed} name={path.split('/').at(-1) ?? path} retry={() => void query.refetch()} />
    </>
  )
}

interface FoundProps {
  service: ServiceDetail
  pod: string
  text: string
  nameOf: (podName: string, container: string) => string
}

/** The matching lines in all logs of the service that the cluster keeps. */
export function FoundLines({ service: { teamId, envId, id, name }, pod, text, nameOf }: FoundProps) {
  const query = useRead(
    serviceLogs.search,
    { params: { teamId, envId, id }, query: { text, pod, quantity: 1000 } },
    { keep: false },
  )
  const { data, error, isPending } = query
  const lines = data?.lines.map((line) => ({ at: line.at, text: `${nameOf(line.pod, line.container)}  ${line.text}` }))
  const feed = feedOf(lines ?? [], isPending, error)
  return (
    <>
      {data && (
        <p className="g-note">
          {t('stacks-ui-log-found', { found: data.found, read: data.read, shown: data.lines.length })}
          {data.unread.length > 0 && ` ${t('stacks-ui-log-unread', { names: data.unread.join(', ') })}`}
        </p>
      )}
      <LogView feed={feed} name={`${name}-search`} retry={() => void query.refetch()} />
    </>
  )
}
