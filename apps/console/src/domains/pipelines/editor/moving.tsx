import { useState, type DragEvent } from 'react'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { type Dragged, useEditing } from './editing.ts'
import styles from './editor.module.css'

interface GripProps {
  what: Dragged
}

/** The handle by which a pointer drags a stage, a job or a step; by keyboard buttons move it. */
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
        // a page that changes while the drag begins would end it
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
  /** The dragged element cannot be dropped here. */
  not?: boolean
}

/** The gap between two rows, where an element can be dropped. */
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
  /** Undefined if it cannot move in that direction. */
  up: (() => void) | undefined
  down: (() => void) | undefined
  onRemove: () => void
}

/** The buttons of a row: up, down, remove. */
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
