import { blueprints } from '@gantry/contract/blueprints/blueprints'
import elkModule from 'elkjs/lib/elk.bundled.js'
import { Background, Controls, Handle, MarkerType, Position, ReactFlow, type Edge, type Node } from '@xyflow/react'
import '@xyflow/react/dist/style.css'
import { useEffect, useMemo, useState } from 'react'
import { addDependency, removeDependency } from '@gantry/tosca/edit'
import type { NodeKind } from '@gantry/tosca/template'
import { t } from '../../../api/language.ts'
import { useMay } from '../../../api/session.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import type { DrawnNode } from './drawing.ts'
import styles from './editor.module.css'

const size = { width: 190, height: 52 }
const elk = new elkModule.default()

type Placed = Node<{ drawn: DrawnNode }>

const icons: Record<NodeKind, IconName> = {
  service: 'docker',
  external: 'globe',
  lb: 'ingress',
  ingress: 'ingress',
  volume: 'archive',
  config: 'config',
}

function Drawn({ data: { drawn } }: { data: { drawn: DrawnNode } }) {
  return (
    <div className={styles.node}>
      <Handle type="target" position={Position.Left} />
      <Icon name={icons[drawn.kind]} size={16} />
      <span className={styles.nodeWords}>
        <b className="g-clip">{drawn.name}</b>
        <small className="g-clip g-faint">{drawn.image || t(`blueprints-ui-kind-${drawn.kind}`)}</small>
      </span>
      <Handle type="source" position={Position.Right} />
    </div>
  )
}

const nodeTypes = { drawn: Drawn }

/** Positions are computed, because a template does not contain any. */
function usePlaces(drawing: readonly DrawnNode[]): Placed[] {
  const shape = JSON.stringify(drawing)
  const [placed, setPlaced] = useState<Placed[]>([])
  useEffect(() => {
    let over = false
    const nodes = JSON.parse(shape) as DrawnNode[]
    const graph = {
      id: 'template',
      layoutOptions: {
        'elk.algorithm': 'layered',
        'elk.direction': 'RIGHT',
        'elk.layered.spacing.nodeNodeBetweenLayers': '60',
      },
      children: nodes.map(({ name }) => ({ id: name, ...size })),
      edges: nodes.flatMap(({ name, requires, uses }) =>
        [...requires, ...uses].map((target) => ({ id: `${name}→${target}`, sources: [name], targets: [target] })),
      ),
    }
    void elk.layout(graph).then(({ children = [] }) => {
      if (over) return
      const at = new Map(children.map(({ id, x = 0, y = 0 }) => [id, { x, y }]))
      setPlaced(
        nodes.map((drawn) => ({
          id: drawn.name,
          type: 'drawn',
          data: { drawn },
          position: at.get(drawn.name) ?? { x: 0, y: 0 },
          ...size,
          ariaLabel: drawn.name,
          deletable: false,
        })),
      )
    })
    return () => {
      over = true
    }
  }, [shape])
  return placed
}

interface CanvasProps {
  drawing: readonly DrawnNode[]
  text: string
  onChange: (text: string) => void
}

/** The services of a template and their requirements. Drawing or deleting an edge changes the text. */
export function Canvas({ drawing, text, onChange }: CanvasProps) {
  const may = useMay(blueprints.update)
  const nodes = usePlaces(drawing)
  const edges = useMemo<Edge[]>(
    () =>
      drawing.flatMap(({ name, requires, uses }) => [
        ...requires.map((target) => ({
          id: `${name}→${target}`,
          source: name,
          target,
          markerEnd: { type: MarkerType.ArrowClosed },
          ariaLabel: t('blueprints-ui-edge', { name, target }),
        })),
        ...uses.map((target) => ({
          id: `${name}→${target}`,
          source: name,
          target,
          className: styles.uses ?? '',
          deletable: false,
          ariaLabel: t('blueprints-ui-edge', { name, target }),
        })),
      ]),
    [drawing],
  )
  const isService = (name: string | null) => drawing.some((one) => one.name === name && one.kind === 'service')
  return (
    <div className={styles.canvas} role="group" aria-label={t('blueprints-ui-canvas')}>
      {drawing.length === 0 ? (
        <p className={`${styles.nothing} g-faint`}>{t('blueprints-ui-canvas-none')}</p>
      ) : (
        <ReactFlow
          key={nodes.length}
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          fitView
          fitViewOptions={{ maxZoom: 1 }}
          minZoom={0.1}
          nodesDraggable={false}
          nodesConnectable={may}
          edgesFocusable={may}
          proOptions={{ hideAttribution: true }}
          isValidConnection={({ source, target }) => source !== target && isService(source) && isService(target)}
          onConnect={({ source, target }) => onChange(addDependency(text, source, target))}
          onEdgesDelete={(gone) => {
            if (may) onChange(gone.reduce((now, { source, target }) => removeDependency(now, source, target), text))
          }}
        >
          <Background />
          <Controls showInteractive={false} />
        </ReactFlow>
      )}
    </div>
  )
}
