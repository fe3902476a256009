import { memo, useEffect, useId, useMemo, useRef, type KeyboardEvent } from 'react'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { isDegraded } from '../services/service-states.ts'
import { troubleOf } from '../services/trouble.ts'
import { isTrouble, type StackGraph, type StackNode } from './graph.ts'
import { edgeKey, layoutOf, nearest, nodeSize, type Direction, type Point } from './layout.ts'
import { isEdgeSeen, isSeen, useViewport } from './viewport.ts'
import styles from './canvas.module.css'

const icons: Record<StackNode['kind'], IconName> = {
  business: 'docker',
  external: 'globe',
  lb: 'ingress',
  ingress: 'ingress',
  claim: 'archive',
  entrance: 'link',
}

const directions: Partial<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

const stateOf = (service: NonNullable<StackNode['service']>): string =>
  isDegraded(service) ? 'degraded' : service.state

/** The text for what a node's shape expresses visually. */
function unseenWords({ kind, service }: StackNode): string {
  return [t(`stacks-map-kind-${kind}`), service ? troubleOf(service) : ''].filter((part) => part !== '').join(', ')
}

/** From the right side of a node to the left side of another, through the passages of the columns between. */
function curve(from: Point, to: Point, bends: readonly Point[]): string {
  const middle = nodeSize.height / 2
  let [x, y] = [from.x + nodeSize.width, from.y + middle]
  let path = `M${x} ${y}`
  const goTo = (nextX: number, nextY: number) => {
    const bend = Math.max(32, (nextX - x) / 2)
    path += `C${x + bend} ${y} ${nextX - bend} ${nextY} ${nextX} ${nextY}`
    ;[x, y] = [nextX, nextY]
  }
  for (const bend of bends) {
    goTo(bend.x, bend.y + middle)
    x += nodeSize.width
    path += `H${x}`
  }
  goTo(to.x - 2, to.y + middle)
  return path
}

interface NodeProps {
  id: string
  node: StackNode
  place: Point
  chosen: boolean
  faint: boolean
}

const Drawn = memo(function Drawn({ id, node, place, chosen, faint }: NodeProps) {
  const { service, kind, name, size } = node
  return (
    <div
      id={id}
      data-key={node.key}
      role="option"
      aria-selected={chosen}
      className={[styles.node, isTrouble(node) ? styles.bad : '', faint ? styles.dim : ''].join(' ')}
      style={{ left: place.x, top: place.y }}
      title={name}
    >
      <Icon name={icons[kind]} size={16} />
      <span className={styles.words}>
        <b className="g-clip">{name}</b>
        <small>
          {service ? <StateBadge state={stateOf(service)} /> : size || t(`stacks-map-kind-${kind}`)}
          {service?.type === 'business' && (
            <span className="g-num">
              {service.ready}/{service.replicas}
            </span>
          )}
        </small>
        <span className="g-hidden">{unseenWords(node)}</span>
      </span>
    </div>
  )
})

interface StackCanvasProps {
  graph: StackGraph
  label: string
  /** The nodes that match the search; undefined without a search. */
  found: ReadonlySet<string> | undefined
  chosen: string
  choose: (key: string) => void
  open: (key: string) => void
}

/** The drawing of a stack: positions are computed once per shape, and only visible nodes are rendered. */
export function StackCanvas({ graph, label, found, chosen, choose, open }: StackCanvasProps) {
  const id = useId()
  const shape = JSON.stringify({
    keys: graph.nodes.map(({ key }) => key),
    edges: graph.edges.map(({ from, to }) => ({ from, to })),
  })
  const layout = useMemo(() => layoutOf(JSON.parse(shape) as Parameters<typeof layoutOf>[0]), [shape])
  const { box, isOpen, zoom, seen, show, zoomIn, zoomOut, fit, drag } = useViewport(layout)
  const { places, bends } = layout
  const idOf = (key: string) => `${id}-${graph.nodes.findIndex((node) => node.key === key)}`

  // each selection is scrolled into view once: if it is then zoomed or dragged away, it stays there
  const brought = useRef('')
  const place = places.get(chosen)
  useEffect(() => {
    if (!isOpen || place === undefined || brought.current === chosen) return
    brought.current = chosen
    show(place)
  }, [chosen, place, isOpen, show])

  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    const direction = directions[key]
    const first = graph.nodes[0]?.key
    if (direction) {
      const next = places.has(chosen) ? nearest(layout, chosen, direction) : first
      if (next !== undefined) choose(next)
    } else if (key === 'Home' && first !== undefined) choose(first)
    else if (key === 'Enter' && places.has(chosen)) open(chosen)
    else if (key === '+' || key === '=') zoomIn()
    else if (key === '-') zoomOut()
    else if (key === '0') fit()
    else return
    event.preventDefault()
  }

  return (
    <div className={styles.frame}>
      <div
        ref={box}
        className={styles.box}
        role="listbox"
        tabIndex={0}
        aria-label={label}
        {...(places.has(chosen) ? { 'aria-activedescendant': idOf(chosen) } : {})}
        onKeyDown={onKeyDown}
        onClick={({ target }) => {
          const node = target instanceof Element ? target.closest<HTMLElement>('[role=option]') : null
          if (node?.dataset['key'] !== undefined) choose(node.dataset['key'])
        }}
        {...drag}
      >
        <div className={styles.sheet} style={{ width: layout.width * zoom, height: layout.height * zoom }}>
          <div
            className={styles.drawing}
            style={{ width: layout.width, height: layout.height, transform: `scale(${zoom})` }}
          >
            <svg width={layout.width} height={layout.height} aria-hidden="true">
              <marker
                id={`${id}-arrow`}
                viewBox="0 0 8 8"
                refX="7"
                refY="4"
                markerWidth="8"
                markerUnits="userSpaceOnUse"
                markerHeight="8"
                orient="auto"
              >
                <path d="M0 0 8 4 0 8Z" className={styles.arrow} />
              </marker>
              {graph.edges.map(({ kind, from, to }) => {
                const [a, b] = [places.get(from), places.get(to)]
                const through = bends.get(edgeKey(from, to)) ?? []
                if (!a || !b || !isEdgeSeen([a, ...through, b], seen)) return null
                const near = from === chosen || to === chosen
                return (
                  <path
                    key={`${kind} ${from} ${to}`}
                    d={curve(a, b, through)}
                    data-kind={kind}
                    className={near ? `${styles.edge} ${styles.near}` : styles.edge}
                    markerEnd={`url(#${id}-arrow)`}
                  />
                )
              })}
            </svg>
            {graph.nodes.map((node, at) => {
              const place = places.get(node.key)
              // the selected node is always rendered, because the keys move from it
              if (!place || (node.key !== chosen && !isSeen(place, seen))) return null
              return (
                <Drawn
                  key={node.key}
                  id={`${id}-${at}`}
                  node={node}
                  place={place}
                  chosen={node.key === chosen}
                  faint={found !== undefined && !found.has(node.key)}
                />
              )
            })}
          </div>
        </div>
      </div>
      <div className={styles.zoom}>
        <Button small quiet icon="add" label={t('stacks-map-zoom-in')} onClick={zoomIn} />
        <Button small quiet icon="minus" label={t('stacks-map-zoom-out')} onClick={zoomOut} />
        <Button small quiet icon="full" label={t('stacks-map-fit')} onClick={fit} />
      </div>
    </div>
  )
}
