import { traces, type Span, type Trace, type TracePair } from '@gantry/contract/tracing/traces'
import { useId, useMemo, useState, type KeyboardEvent } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { CallInput } from '../../api/call.ts'
import { t } from '../../api/language.ts'
import { exactTime } from '../../ui/format.ts'
import { Facts, Loaded } from '../../ui/detail.tsx'
import { GoTo } from '../../ui/link.tsx'
import { useUrlState } from '../../ui/table/url-state.ts'
import { toService } from '../stacks/public.tsx'
import { share, spanTime } from './amounts.ts'
import { Unset } from './stack-frame.tsx'
import styles from './tracing.module.css'
import { criticalPath, rowsOf, type Row } from './waterfall.ts'

export function TraceView({ params }: Required<Pick<CallInput<typeof traces.get>, 'params'>>) {
  const query = useRead(traces.get, { params })
  return (
    <Loaded query={query}>
      {({ unset, notice, trace }) =>
        unset ? (
          <Unset kind="jaeger" />
        ) : trace === null ? (
          <p className="g-note g-note-warn">{notice}</p>
        ) : (
          <Waterfall trace={trace} />
        )
      }
    </Loaded>
  )
}

/** The name of a span, if the user may see it. */
const nameOf = ({ hidden, service, operation }: Span): string =>
  hidden ? t('tracing-ui-hidden') : `${service}: ${operation}`

function Waterfall({ trace }: { trace: Trace }) {
  const id = useId()
  const [{ span: chosen }, change] = useUrlState({ span: '' })
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => rowsOf(trace.spans, closed), [trace, closed])
  const path = useMemo(() => criticalPath(trace.spans), [trace])
  const at = Math.max(
    0,
    rows.findIndex(({ span }) => span.id === chosen),
  )
  const row = rows[at]
  const choose = (next: Row | undefined) => next && change({ span: next.span.id }, { replace: true })
  const fold = ({ span }: Row, isClosed: boolean) => {
    const next = new Set(closed)
    if (isClosed) next.add(span.id)
    else next.delete(span.id)
    setClosed(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!row) return
    const isClosed = closed.has(row.span.id)
    const parent = rows.slice(0, at).findLast(({ depth }) => depth < row.depth)
    if (event.key === 'ArrowDown') choose(rows[at + 1])
    else if (event.key === 'ArrowUp') choose(rows[at - 1])
    else if (event.key === 'Home') choose(rows[0])
    else if (event.key === 'End') choose(rows.at(-1))
    else if (event.key === 'ArrowRight') {
      if (isClosed) fold(row, false)
      else if (row.children > 0) choose(rows[at + 1])
    } else if (event.key === 'ArrowLeft') {
      if (row.children > 0 && !isClosed) fold(row, true)
      else choose(parent)
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (row.children > 0) fold(row, !isClosed)
    } else return
    event.preventDefault()
  }
  return (
    <div className={styles.whole}>
      <p className="g-faint">
        {t('tracing-ui-trace-about', {
          time: exactTime(trace.startedAt),
          duration: spanTime(trace.duration),
          count: trace.spans.length,
        })}
      </p>
      {trace.truncated && <p className="g-note">{t('tracing-ui-spans-truncated', { count: trace.spans.length })}</p>}
      <div className={styles.trace}>
        <div className={styles.waterfall}>
          <div className={styles.axis} aria-hidden="true">
            {[0, 1, 2, 3, 4].map((part) => (
              <span key={part}>{spanTime((trace.duration * part) / 4)}</span>
            ))}
          </div>
          <div
            role="tree"
            tabIndex={0}
            aria-label={t('tracing-ui-waterfall')}
            {...(row ? { 'aria-activedescendant': `${id}-${at}` } : {})}
            onKeyDown={onKeyDown}
          >
            {rows.map((one, index) => (
              <Line
                key={one.span.id}
                id={`${id}-${index}`}
                row={one}
                whole={trace.duration}
                isChosen={index === at}
                isClosed={closed.has(one.span.id)}
                isCritical={path.has(one.span.id)}
                choose={() => {
                  if (index === at && one.children > 0) fold(one, !closed.has(one.span.id))
                  choose(one)
                }}
              />
            ))}
          </div>
        </div>
        {row && <SpanPanel span={row.span} trace={trace} />}
      </div>
    </div>
  )
}

interface LineProps {
  id: string
  row: Row
  whole: number
  isChosen: boolean
  isClosed: boolean
  isCritical: boolean
  choose: () => void
}

function Line({ id, row: { span, depth, children }, whole, isChosen, isClosed, isCritical, choose }: LineProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are the tree's
    <div
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-level={depth + 1}
      aria-selected={isChosen}
      {...(children > 0 ? { 'aria-expanded': !isClosed } : {})}
      className={styles.line}
      onClick={choose}
    >
      <span className={styles.name} style={{ paddingInlineStart: `${Math.min(depth, 12) * 12}px` }}>
        <span aria-hidden="true">{children === 0 ? '' : isClosed ? '▸' : '▾'}</span>
        <span className={`g-clip ${span.hidden ? 'g-faint' : ''}`}>{nameOf(span)}</span>
        {span.error && <b className={styles.failed}>{t('tracing-ui-failed')}</b>}
      </span>
      <span className={styles.bar}>
        <span
          data-failed={span.error || undefined}
          data-critical={isCritical || undefined}
          data-hidden={span.hidden || undefined}
          style={{ marginInlineStart: `${share(span.offset, whole)}%`, width: `${share(span.duration, whole)}%` }}
        />
      </span>
      <small className="g-num">{spanTime(span.duration)}</small>
    </div>
  )
}

/** The data of a span; for another team's, why there is so little. */
function SpanPanel({ span, trace }: { span: Span; trace: Trace }) {
  const { place } = span
  return (
    <aside className={styles.panel} aria-label={t('tracing-ui-span')}>
      <h2>{nameOf(span)}</h2>
      {span.hidden && <p className="g-note">{t('tracing-ui-hidden-memo')}</p>}
      <Facts
        facts={[
          { label: t('tracing-ui-start'), value: `+${spanTime(span.offset)}` },
          { label: t('tracing-ui-duration'), value: spanTime(span.duration) },
          ...(span.hidden
            ? []
            : [
                { label: t('tracing-ui-namespace'), value: span.namespace },
                { label: t('tracing-ui-pod'), value: span.pod },
              ]),
        ]}
      />
      {place && (
        <div className="g-row">
          <GoTo to={toService(place)}>{t('tracing-ui-containers', { name: place.name })}</GoTo>
          <GoTo to={toService(place, { tab: 'log', search: trace.traceId })}>{t('tracing-ui-log')}</GoTo>
        </div>
      )}
      <Pairs title={t('tracing-ui-span-tags')} pairs={span.tags} />
      <Pairs title={t('tracing-ui-process')} pairs={span.process} />
      {span.logs.map(({ offset, fields }) => (
        <Pairs
          key={`${offset} ${JSON.stringify(fields)}`}
          title={t('tracing-ui-event', { time: spanTime(offset) })}
          pairs={fields}
        />
      ))}
    </aside>
  )
}

function Pairs({ title, pairs }: { title: string; pairs: readonly TracePair[] }) {
  if (pairs.length === 0) return null
  return (
    <div>
      <h3>{title}</h3>
      <dl className={styles.pairs} translate="no">
        {pairs.map(({ key, value }) => (
          <div key={`${key} ${value}`}>
            <dt>{key}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
