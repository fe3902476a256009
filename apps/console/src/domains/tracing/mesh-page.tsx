import { mesh, meshMinutes, type Mesh, type MeshEdge, type MeshNode } from '@gantry/contract/tracing/mesh'
import { Select } from 'antd'
import { useMemo } from 'react'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { atHand, ResourceTable } from '../../ui/table/resource-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { useUrlState } from '../../ui/table/url-state.ts'
import { StackCanvas, type StackGraph } from '../stacks/public.tsx'
import { spanTime } from './amounts.ts'
import { StackFrame, Unset, useStack } from './stack-frame.tsx'
import styles from './tracing.module.css'

const everyMs = 30_000

/** The traffic of a stack in the service mesh of its cluster. */
export function MeshPage() {
  const { params } = useStack()
  const [{ type, minutes }, change] = useUrlState({ type: 'workload', minutes: '5' })
  const graphType = type === 'versionedApp' ? ('versionedApp' as const) : ('workload' as const)
  const back = meshMinutes.find((one) => String(one) === minutes) ?? 5
  const query = useRead(
    mesh.graph,
    { params, query: { type: graphType, minutes: back } },
    { every: everyMs, of: { env: params.envId } },
  )
  return (
    <StackFrame title={t('route-app-kiali')}>
      {query.data?.unset ? (
        <Unset kind="kiali" />
      ) : (
        <div className={styles.whole}>
          <div className="g-bar">
            <Select
              aria-label={t('tracing-ui-minutes')}
              prefix={<span className="g-faint">{t('tracing-ui-minutes')}</span>}
              popupMatchSelectWidth={false}
              value={String(back)}
              options={meshMinutes.map((one) => ({ value: String(one), label: spanTime(one * 60_000_000) }))}
              onChange={(value) => change({ minutes: value })}
            />
            <Select
              aria-label={t('tracing-ui-graph')}
              prefix={<span className="g-faint">{t('tracing-ui-graph')}</span>}
              popupMatchSelectWidth={false}
              value={graphType}
              options={(['workload', 'versionedApp'] as const).map((value) => ({
                value,
                label: t(`tracing-ui-graph-${value}`),
              }))}
              onChange={(value) => change({ type: value })}
            />
          </div>
          <Loaded query={query}>{(data) => <Traffic data={data} />}</Loaded>
        </div>
      )}
    </StackFrame>
  )
}

const nameOf = ({ hidden, name, kind, version }: MeshNode): string =>
  hidden
    ? t('tracing-ui-hidden')
    : name === ''
      ? t('tracing-ui-unknown')
      : kind === 'app' && version !== ''
        ? `${name} ${version}`
        : name

const rateOf = ({ protocol, rate }: MeshEdge): string =>
  protocol === '' ? '–' : t(protocol === 'tcp' ? 'tracing-ui-bytes-rate' : 'tracing-ui-rate', { rate: rate.toFixed(2) })

/** The graph for the map's drawing: nodes of others are drawn like outside addresses. */
function graphOf({ nodes, edges }: Mesh): StackGraph {
  const received = (id: string): number =>
    edges.reduce((sum, { to, protocol, rate }) => (to === id && protocol !== 'tcp' ? sum + rate : sum), 0)
  return {
    nodes: nodes.map((node) => ({
      key: node.id,
      kind: node.hidden ? 'external' : node.kind === 'unknown' ? 'entrance' : 'business',
      name: nameOf(node),
      size: t('tracing-ui-rate', { rate: received(node.id).toFixed(2) }),
      service: undefined,
    })),
    edges: edges.map(({ from, to }) => ({ kind: 'routes', from, to, by: '' })),
  }
}

function Traffic({ data }: { data: Mesh }) {
  const [{ node }, change] = useUrlState({ node: '' })
  const graph = useMemo(() => graphOf(data), [data])
  const named = new Map(data.nodes.map((one) => [one.id, nameOf(one)]))
  const choose = (key: string) => change({ node: key }, { replace: true })
  const rows = data.edges.filter(({ from, to }) => node === '' || !named.has(node) || from === node || to === node)
  return (
    <>
      {data.notice !== '' && <p className="g-note g-note-warn">{data.notice}</p>}
      {data.truncated && <p className="g-note">{t('tracing-ui-mesh-truncated', { count: data.nodes.length })}</p>}
      {data.nodes.length === 0 && data.notice === '' && (
        <EmptyState title={t('tracing-ui-mesh-none')} memo={t('tracing-ui-mesh-none-memo')} />
      )}
      {data.nodes.length > 0 && (
        <>
          <div className={styles.map}>
            <StackCanvas
              graph={graph}
              label={t('tracing-ui-mesh-label')}
              found={undefined}
              chosen={node}
              choose={choose}
              open={choose}
            />
          </div>
          <ResourceTable
            label={t('tracing-ui-mesh-table')}
            query={atHand(rows)}
            rowKey={({ from, to, protocol }) => `${from} ${to} ${protocol}`}
            columns={[
              { key: 'from', title: t('tracing-ui-from'), cell: ({ from }) => named.get(from) },
              { key: 'to', title: t('tracing-ui-to'), cell: ({ to }) => named.get(to) },
              { key: 'protocol', title: t('tracing-ui-protocol'), cell: ({ protocol }) => protocol || '–' },
              { key: 'rate', title: t('tracing-ui-traffic'), cell: rateOf },
              {
                key: 'errors',
                title: t('tracing-ui-errors'),
                cell: ({ errors }) =>
                  errors > 0 ? <span className={styles.failed}>{`${errors.toFixed(1)}%`}</span> : '–',
              },
              { key: 'p95', title: 'P95', cell: ({ p95 }) => (p95 === null ? '–' : spanTime(p95 * 1000)) },
              { key: 'mtls', title: 'mTLS', cell: ({ mtls }) => (mtls > 0 ? `${Math.round(mtls)}%` : '–') },
            ]}
            empty={{ title: t('tracing-ui-mesh-edges-none'), small: true }}
          />
        </>
      )}
    </>
  )
}
