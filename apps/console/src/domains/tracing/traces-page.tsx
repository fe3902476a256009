import { traces, type Traces, type TraceSummary } from '@gantry/contract/tracing/traces'
import { Select } from 'antd'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/detail.tsx'
import { to } from '../../ui/link.tsx'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { SearchBox } from '../../ui/table/search-box.tsx'
import { useUrlState } from '../../ui/table/url-state.ts'
import { Time } from '../../ui/time.tsx'
import { RangePicker, useRange } from '../monitoring/public.tsx'
import { share, spanTime } from './amounts.ts'
import { StackFrame, Unset, useStack } from './stack-frame.tsx'
import { TraceView } from './trace-view.tsx'
import styles from './tracing.module.css'

const defaults = { service: '', operation: '', status: 'any', least: '', most: '', tags: '', limit: '20', trace: '' }
const useFilters = () => useUrlState(defaults)
type Filters = ReturnType<typeof useFilters>[0]

/** The choices for the minimum duration, in milliseconds. */
const steps = ['10', '100', '500', '1000', '5000', '30000'] as const
const limits = ['20', '50', '100'] as const
const microseconds = (milliseconds: string): number => Number(steps.find((one) => one === milliseconds) ?? 0) * 1000

/** Traces with spans of a stack, or the trace in the address. */
export function TracesPage() {
  const [{ trace }, change] = useFilters()
  const { params } = useStack()
  return (
    <StackFrame title={t('route-app-jaeger')}>
      {trace === '' ? (
        <TraceList />
      ) : (
        <>
          <div className="g-row">
            <Button icon="back" onClick={() => change({ trace: '' })}>
              {t('tracing-ui-back')}
            </Button>
          </div>
          <TraceView key={trace} params={{ ...params, traceId: trace }} />
        </>
      )}
    </StackFrame>
  )
}

function TraceList() {
  const { params, place } = useStack()
  const [filters] = useFilters()
  const { query: range } = useRange()
  const status = filters.status === 'error' ? ('error' as const) : ('any' as const)
  const query = useRead(
    traces.list,
    {
      params,
      query: {
        ...range,
        service: filters.service,
        operation: filters.operation,
        status,
        minDuration: microseconds(filters.least),
        maxDuration: microseconds(filters.most),
        tags: filters.tags,
        limit: Number(limits.find((one) => one === filters.limit) ?? 20),
      },
    },
    { enabled: range !== undefined, of: { env: params.envId } },
  )
  if (query.data?.unset) return <Unset kind="jaeger" />
  return (
    <div className={styles.whole}>
      <FilterBar />
      <Loaded query={query}>
        {(data) => (
          <>
            {data.notice !== '' && <p className="g-note g-note-warn">{data.notice}</p>}
            {data.truncated && <p className="g-note">{t('tracing-ui-truncated', { count: data.items.length })}</p>}
            {data.items.length > 1 && <Scatter traces={data} />}
            <ResourceTable
              label={t('route-app-jaeger')}
              query={{ ...query, data: data.items }}
              rowKey={({ traceId }) => traceId}
              nameOf={({ root, traceId }) => root.operation || traceId}
              open={({ traceId }) => to('app-jaeger', place, { ...searchOf(filters), trace: traceId })}
              columns={[
                { key: 'root', title: t('tracing-ui-operation'), cell: rootWords },
                { key: 'start', title: t('tracing-ui-start'), cell: ({ startedAt }) => <Time at={startedAt} /> },
                {
                  key: 'duration',
                  title: t('tracing-ui-duration'),
                  cell: ({ duration }) => <DurationBar part={duration} whole={longestOf(data.items)} />,
                },
                { key: 'services', title: t('tracing-ui-services'), cell: servicesWords },
                { key: 'spans', title: t('tracing-ui-spans'), width: 88, cell: ({ spans }) => spans },
                {
                  key: 'errors',
                  title: t('tracing-ui-errors'),
                  width: 88,
                  cell: ({ errors }) => (errors > 0 ? <span className={styles.failed}>{errors}</span> : '–'),
                },
              ]}
              empty={{ title: t('tracing-ui-none'), memo: t('tracing-ui-none-memo') }}
            />
          </>
        )}
      </Loaded>
    </div>
  )
}

const searchOf = (filters: Filters): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).filter(([key, value]) => value !== defaults[key as keyof Filters]))

const longestOf = (items: readonly TraceSummary[]): number => Math.max(0, ...items.map(({ duration }) => duration))

const rootWords = ({ root }: TraceSummary): string => root.operation || t('tracing-ui-hidden')

function servicesWords({ services, hidden }: TraceSummary): string {
  const own = services.map(({ name, spans }) => `${name} (${spans})`)
  return [...own, ...(hidden > 0 ? [t('tracing-ui-hidden-count', { count: hidden })] : [])].join(', ')
}

const DurationBar = ({ part, whole }: { part: number; whole: number }) => (
  <span className={styles.amount}>
    <span className="g-num">{spanTime(part)}</span>
    <span className={styles.track} aria-hidden="true">
      <span style={{ width: `${share(part, whole)}%` }} />
    </span>
  </span>
)

/** The start and duration of each trace; the table beside it has the same data as text. */
function Scatter({ traces: { items, start, end } }: { traces: Traces }) {
  const [from, until, longest] = [Date.parse(start), Date.parse(end), longestOf(items)]
  return (
    <div className={styles.scatter} aria-hidden="true">
      {items.map(({ traceId, startedAt, duration, errors }) => (
        <span
          key={traceId}
          data-failed={errors > 0 || undefined}
          style={{
            left: `${share(Date.parse(startedAt) - from, until - from)}%`,
            bottom: `${share(duration, longest)}%`,
          }}
        />
      ))}
    </div>
  )
}

function FilterBar() {
  const { params } = useStack()
  const [filters, change] = useFilters()
  const services = useRead(traces.services, { params }, { of: { env: params.envId } })
  const operations = useRead(
    traces.operations,
    { params, query: { service: filters.service } },
    { enabled: filters.service !== '' },
  )
  const named = (names: readonly string[] = [], chosen: string) =>
    [...new Set([...names, ...(chosen === '' ? [] : [chosen])])].map((value) => ({ value, label: value }))
  const lasting = [
    { value: '', label: t('tracing-ui-any') },
    ...steps.map((value) => ({ value, label: spanTime(Number(value) * 1000) })),
  ]
  const choice = (
    key: keyof Filters,
    label: string,
    options: { value: string; label: string }[],
    more: object = {},
  ) => (
    <Select
      aria-label={label}
      prefix={<span className="g-faint">{label}</span>}
      popupMatchSelectWidth={false}
      value={filters[key]}
      options={options}
      onChange={(value: string) => change({ [key]: value, ...more })}
    />
  )
  return (
    <div className="g-bar">
      <RangePicker />
      {choice(
        'service',
        t('tracing-ui-service'),
        [{ value: '', label: t('tracing-ui-any') }, ...named(services.data?.names, filters.service)],
        { operation: '' },
      )}
      {filters.service !== '' &&
        choice('operation', t('tracing-ui-operation'), [
          { value: '', label: t('tracing-ui-any') },
          ...named(operations.data?.names, filters.operation),
        ])}
      {choice('status', t('tracing-ui-status'), [
        { value: 'any', label: t('tracing-ui-any') },
        { value: 'error', label: t('tracing-ui-status-error') },
      ])}
      {choice('least', t('tracing-ui-least'), lasting)}
      {choice('most', t('tracing-ui-most'), lasting)}
      {choice(
        'limit',
        t('tracing-ui-limit'),
        limits.map((value) => ({ value, label: value })),
      )}
      <SearchBox label={t('tracing-ui-tags')} value={filters.tags} onSearch={(tags) => change({ tags })} />
    </div>
  )
}
