import { containers } from '@gantry/contract/stacks/containers/containers'
import type { ReactNode } from 'react'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { GoTo, useGo } from '../../../ui/link.tsx'
import type { Action } from '../../../ui/table/row-actions.tsx'
import { ImageName, Ready, ServiceBadge } from '../services/badges.tsx'
import { troubleOf } from '../services/trouble.ts'
import { toService } from '../stacks/places.ts'
import type { StackEdge, StackGraph, StackNode } from './graph.ts'
import styles from './canvas.module.css'

interface NodePanelProps {
  node: StackNode
  graph: StackGraph
  actions: readonly Action[]
  choose: (key: string) => void
}

/** The selected node's data, and its actions, a second click away. */
export function NodePanel({ node, graph, actions, choose }: NodePanelProps) {
  const { service, kind, name, size } = node
  const trouble = service ? troubleOf(service) : ''
  return (
    <aside className={styles.panel} aria-label={t('stacks-map-chosen')}>
      <div>
        <h2>{service ? <GoTo to={toService(service)}>{name}</GoTo> : <Copyable text={name} />}</h2>
        <span className="g-faint">
          {t(`stacks-map-kind-${kind}`)}
          {size !== '' && ` · ${size}`}
        </span>
      </div>
      {service && (
        <div className="g-row">
          <ServiceBadge service={service} />
          {service.type === 'business' && <Ready service={service} />}
        </div>
      )}
      {trouble !== '' && (
        <p className={service?.state === 'failed' ? 'g-note g-note-bad' : 'g-note g-note-warn'}>{trouble}</p>
      )}
      {service?.type === 'business' && <ImageName image={service.image} digest="" />}
      {kind === 'entrance' && /^https?:/.test(name) && (
        <a href={name} target="_blank" rel="noreferrer">
          {t('stacks-map-open')}
        </a>
      )}
      {service && <NodeButtons service={service} actions={actions} />}
      <Ends
        title={t('stacks-map-to')}
        edges={graph.edges.filter(({ from }) => from === node.key)}
        end="to"
        {...{ graph, choose }}
      />
      <Ends
        title={t('stacks-map-from')}
        edges={graph.edges.filter(({ to }) => to === node.key)}
        end="from"
        {...{ graph, choose }}
      />
    </aside>
  )
}

function NodeButtons({ service, actions }: { service: NonNullable<StackNode['service']>; actions: readonly Action[] }) {
  const go = useGo()
  const { name } = service
  return (
    <div className="g-row">
      {service.type === 'business' && (
        <>
          <Button
            small
            icon="log"
            needs={containers.log}
            label={t('stacks-ui-log-of', { name })}
            onClick={() => go(toService(service, { tab: 'log' }))}
          >
            {t('stacks-ui-log')}
          </Button>
          <Button
            small
            icon="terminal"
            needs={containers.execute}
            label={t('stacks-ui-terminal-of', { name })}
            disabled={service.ready === 0 && t('stacks-ui-terminal-none')}
            onClick={() => go(toService(service, { tab: 'terminal' }))}
          >
            {t('stacks-ui-terminal')}
          </Button>
        </>
      )}
      {actions.map(({ key, label, icon, danger, needs, disabled, onClick }) => (
        <Button
          key={key}
          small
          danger={danger ?? false}
          {...(icon === undefined ? {} : { icon })}
          {...(needs === undefined ? {} : { needs })}
          disabled={disabled ?? false}
          onClick={onClick}
        >
          {label}
        </Button>
      ))}
    </div>
  )
}

interface EndsProps {
  title: string
  edges: readonly StackEdge[]
  end: 'from' | 'to'
  graph: StackGraph
  choose: (key: string) => void
}

/** The targets or sources of a node, with the reason of each edge; a click selects one. */
function Ends({ title, edges, end, graph, choose }: EndsProps): ReactNode {
  if (edges.length === 0) return null
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {edges.map((edge) => (
          <li key={`${edge.kind} ${edge[end]}`}>
            <Button small quiet onClick={() => choose(edge[end])}>
              {graph.nodes.find(({ key }) => key === edge[end])?.name ?? edge[end]}
            </Button>
            <small className="g-faint">
              {t(`stacks-map-link-${edge.kind}`)}
              {edge.by !== '' && edge.kind === 'calls' && ` (${edge.by})`}
            </small>
          </li>
        ))}
      </ul>
    </div>
  )
}
