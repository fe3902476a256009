import { useState, type DragEvent } from 'react'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { type Dragged, useEditing } from './editing.ts'
import styles from './editor.module.css'

interface GripProps {
  what: Dragged
}

/** Where a stage, a job or a step is taken hold of by the pointer; by keyboard it moves by its buttons. */
export function Grip({ what }: GripProps) {
  const { drag, readOnly } = useEditing()
  if (readOnly) return null
  return (
    <span
      className={styles.grip}
      draggable
      aria-hidden
      onDragStart={(event) => {
        const card = event.currentTarget.closest<HTMLElement>('[data-key]')
        if (card) event.dataTransfer.setDragImage(card, 16, 16)
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', what.kind)
        // a page that changes while the drag begins ends it
        setTimeout(() => drag(what))
      }}
      onDragEnd={() => drag(undefined)}
    >
      <Icon name="grip" />
    </span>
  )
}

interface GapProps {
  kind: Dragged['kind']
  onDrop: (what: Dragged) => void
  /** Whether this is no place for what is dragged. */
  not?: boolean
}

/** The room between two rows, where a third can be dropped. */
export function Gap({ kind, onDrop, not = false }: GapProps) {
  const { dragged, drag } = useEditing()
  const [over, setOver] = useState(false)
  if (dragged?.kind !== kind || not) return null
  const stay = (event: DragEvent) => {
    event.preventDefault()
    event.dataTransfer.dropEffect = 'move'
    setOver(true)
  }
  return (
    <div
      className={over ? `${styles.gap} ${styles.gapOver}` : styles.gap}
      data-gap={kind}
      onDragEnter={stay}
      onDragOver={stay}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        drag(undefined)
        onDrop(dragged)
      }}
    />
  )
}

interface MoverProps {
  name: string
  /** Without a function it cannot move that way. */
  up: (() => void) | undefined
  down: (() => void) | undefined
  onRemove: () => void
}

/** The buttons of a row: further up, further down, away. */
export function RowTools({ name, up, down, onRemove }: MoverProps) {
  return (
    <span className="g-tools">
      <span data-move="-1">
        <Button
          small
          quiet
          icon="up"
          label={t('pipelines-ui-move-up', { name })}
          disabled={!up && t('pipelines-ui-first')}
          onClick={() => up?.()}
        />
      </span>
      <span data-move="1">
        <Button
          small
          quiet
          icon="chevron"
          label={t('pipelines-ui-move-down', { name })}
          disabled={!down && t('pipelines-ui-last')}
          onClick={() => down?.()}
        />
      </span>
      <Button small quiet icon="delete" label={t('pipelines-ui-remove', { name })} onClick={onRemove} />
    </span>
  )
}
