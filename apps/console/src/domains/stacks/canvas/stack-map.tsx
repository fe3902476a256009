import { services as calls } from '@gantry/contract/stacks/services'
import type { Topology } from '@gantry/contract/stacks/topology'
import { useEffect, useMemo, useState } from 'react'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { GoTo, useGo } from '../../../ui/link.tsx'
import { useListState, type ListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { SearchBox } from '../../../ui/table/search-box.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { Ready, ServiceBadge } from '../services/badges.tsx'
import { troubleOf } from '../services/trouble.ts'
import { useServiceActions } from '../services/use-service-actions.tsx'
import { toAddService, toService } from '../stacks/places.ts'
import { graphOf, isFound, isTrouble, neighboursOf, troubleFirst, type StackGraph, type StackNode } from './graph.ts'
import { NodePanel } from './node-panel.tsx'
import { StackCanvas } from './stack-canvas.tsx'
import styles from './canvas.module.css'

/** The drawing of a stack, and the same as a table below. */
export function StackMap({ topology, isFetching, refetch }: MapProps) {
  const { stack, services } = topology
  const go = useGo()
  const graph = useMemo(() => graphOf(topology), [topology])
  const list = useListState(`stack-map-${stack.id}`)
  const found = graph.nodes.filter((node) => isFound(node, list.keyword))
  if (services.length === 0)
    return (
      <EmptyState
        title={t('stacks-ui-services-none')}
        memo={t('stacks-map-none-memo')}
        add={{
          label: t('stacks-ui-add-service'),
          needs: calls.create,
          onClick: () => go(toAddService(stack)),
        }}
      />
    )
  return (
    <div className={styles.whole}>
      {topology.truncated && <p className="g-note g-note-warn">{t('stacks-map-cut', { count: services.length })}</p>}
      <Drawing label={t('stacks-map-of', { name: stack.name })} {...{ graph, found, list }} />
      <NodeTable {...{ graph, found, list, isFetching, refetch }} label={t('stacks-map-table', { name: stack.name })} />
    </div>
  )
}

/** The address is updated after a pause, because keys select faster than pages render. */
const restMs = 300

/** The selected node, also in the address. Initially the most urgent one. */
function useChosen(graph: StackGraph): [chosen: string, choose: (key: string) => void] {
  const [{ node }, setUrl] = useUrlState({ node: '' })
  const [chosen, choose] = useState(() => node || (graph.nodes.find(isTrouble)?.key ?? ''))
  useEffect(() => {
    const timer = setTimeout(() => setUrl({ node: chosen }, { replace: true }), restMs)
    return () => clearTimeout(timer)
  }, [chosen, setUrl])
  return [chosen, choose]
}

interface Drawn {
  label: string
  graph: StackGraph
  found: readonly StackNode[]
  list: ListState
}

function Drawing({ label, graph, found, list }: Drawn) {
  const go = useGo()
  const [chosen, choose] = useChosen(graph)
  const { actionsOf, dialog } = useServiceActions()
  const trouble = graph.nodes.filter(isTrouble)
  const node = graph.nodes.find(({ key }) => key === chosen)
  const open = (key: string) => {
    const service = graph.nodes.find((one) => one.key === key)?.service
    if (service) go(toService(service))
  }
  const nextTrouble = () => {
    const next = trouble[(trouble.findIndex(({ key }) => key === chosen) + 1) % trouble.length]
    if (next) choose(next.key)
  }
  return (
    <>
      <div className="g-bar">
        <SearchBox
          label={t('stacks-map-search')}
          value={list.keyword}
          onSearch={(keyword) => {
            list.setKeyword(keyword)
            const hit = keyword === '' ? undefined : graph.nodes.find((one) => isFound(one, keyword))
            if (hit) choose(hit.key)
          }}
        />
        <Button icon="warn" disabled={trouble.length === 0 && t('stacks-map-trouble-none')} onClick={nextTrouble}>
          {t('stacks-map-trouble', { count: trouble.length })}
        </Button>
        <Legend />
      </div>
      <div className={styles.map}>
        <StackCanvas
          graph={graph}
          label={label}
          found={list.keyword === '' ? undefined : new Set(found.map(({ key }) => key))}
          chosen={chosen}
          choose={choose}
          open={open}
        />
        {node && (
          <NodePanel node={node} graph={graph} actions={node.service ? actionsOf(node.service) : []} choose={choose} />
        )}
      </div>
      {dialog}
    </>
  )
}

interface MapProps {
  topology: Topology
  isFetching: boolean
  refetch: () => unknown
}

interface NodeTableProps extends Drawn, Pick<MapProps, 'isFetching' | 'refetch'> {}

/** The same as the drawing, problems first. */
function NodeTable({ label, graph, found, list, isFetching, refetch }: NodeTableProps) {
  const { actionsOf, dialog } = useServiceActions()
  const neighbours = useMemo(() => neighboursOf(graph), [graph])
  const names = useMemo(() => new Map(graph.nodes.map(({ key, name }) => [key, name])), [graph])
  const named = (keys: readonly string[] = []) => keys.map((key) => names.get(key) ?? key).join(', ') || '–'
  const rows = troubleFirst(found)
  const start = (list.page - 1) * list.pageSize
  const data = {
    items: rows.slice(start, start + list.pageSize),
    totalSize: rows.length,
    requestPage: list.page,
    pageSize: list.pageSize,
  }
  return (
    <>
      <ResourceTable
        label={label}
        query={{ data, error: null, isPending: false, isFetching, refetch }}
        list={list}
        rowKey={(row) => row.key}
        nameOf={(row) => row.name}
        columns={[
          { key: 'name', title: t('stacks-ui-name'), cell: (row) => <NameCell node={row} /> },
          { key: 'kind', title: t('stacks-map-kind'), cell: (row) => t(`stacks-map-kind-${row.kind}`) },
          {
            key: 'state',
            title: t('stacks-ui-state'),
            cell: ({ service, size }) => (service ? <ServiceBadge service={service} /> : size || '–'),
          },
          {
            key: 'ready',
            title: t('stacks-ui-ready'),
            width: 88,
            cell: ({ service }) => (service?.type === 'business' ? <Ready service={service} /> : '–'),
          },
          { key: 'to', title: t('stacks-map-to'), cell: ({ key }) => named(neighbours.get(key)?.to) },
          { key: 'from', title: t('stacks-map-from'), cell: ({ key }) => named(neighbours.get(key)?.from) },
        ]}
        actions={({ service }) => (service ? actionsOf(service) : [])}
      />
      {dialog}
    </>
  )
}

function NameCell({ node: { name, service } }: { node: StackNode }) {
  if (!service) return name
  const words = troubleOf(service)
  return (
    <div>
      <GoTo to={toService(service)}>{name}</GoTo>
      {words !== '' && (
        <p className={service.state === 'failed' ? 'g-message g-bad' : 'g-message'} title={words}>
          {words}
        </p>
      )}
    </div>
  )
}

const lines = [
  { kind: 'requires', dash: undefined },
  { kind: 'calls', dash: '5 4' },
  { kind: 'mounts', dash: '1 4' },
] as const

/** The meaning of the lines. */
const Legend = () => (
  <ul className={styles.legend} aria-label={t('stacks-map-legend')}>
    {lines.map(({ kind, dash }) => (
      <li key={kind}>
        <svg width="24" height="2" aria-hidden="true">
          <path d="M0 1h24" stroke="currentColor" strokeWidth="1.5" strokeDasharray={dash} />
        </svg>
        {t(`stacks-map-line-${kind}`)}
      </li>
    ))}
  </ul>
)
