import type { StageInput } from '@gantry/contract/pipelines/definition'
import { useId, useState, type ReactNode } from 'react'
import { stringify } from 'yaml'
import { t } from '../../../api/language.ts'
import { Difference } from '../../../ui/editor/editors.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { GoTo, type To } from '../../../ui/link.tsx'
import { toYaml } from '../definition/definition-yaml.ts'
import { fieldWord } from './change-words.ts'
import styles from './batches.module.css'

interface Item {
  pipelineId: number
  projectName: string
  reason: string
  path: string
  before: Record<string, unknown>
  after: Record<string, unknown>
  secrets: readonly string[]
}

interface ItemListProps<I extends Item> {
  label: string
  items: readonly I[]
  badge: (item: I) => ReactNode
  /** The link of the pipeline's name; undefined for a deleted pipeline. */
  open: (item: I) => To | undefined
}

/** The pipelines of a batch: each with its outcome, its reason, and on demand the difference. */
export const ItemList = <I extends Item>({ label, items, badge, open }: ItemListProps<I>) => (
  <ul className={styles.items} aria-label={label}>
    {items.map((item) => (
      <ItemRow key={item.pipelineId} item={item} badge={badge(item)} to={open(item)} />
    ))}
  </ul>
)

function ItemRow({ item, badge, to }: { item: Item; badge: ReactNode; to: To | undefined }) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const fields = Object.keys(item.after)
  return (
    <li>
      <div className={styles.itemHead}>
        <span className={styles.itemName}>
          {to ? <GoTo to={to}>{item.projectName}</GoTo> : <span className="g-faint">{item.projectName}</span>}
        </span>
        {badge}
        {fields.length > 0 && (
          <span className={styles.toggle}>
            <span className="g-quiet">{fields.map(fieldWord).join(', ')}</span>
            <button
              type="button"
              className="g-bare"
              aria-expanded={open}
              aria-controls={open ? id : undefined}
              aria-label={t('batch-edits-ui-difference-of', { name: item.projectName })}
              onClick={() => setOpen(!open)}
            >
              <Icon name={open ? 'up' : 'chevron'} size={16} />
            </button>
          </span>
        )}
      </div>
      {item.reason !== '' && (
        <p className={styles.reason}>
          {item.path !== '' && <span className="g-mono">{item.path}: </span>}
          {item.reason}
        </p>
      )}
      {open && (
        <div id={id} className={styles.difference}>
          {item.secrets.length > 0 && (
            <p className="g-note">{t('batch-edits-ui-secrets-change', { names: item.secrets.join(', ') })}</p>
          )}
          <Difference before={textOf(item.before)} after={textOf(item.after)} />
        </div>
      )}
    </li>
  )
}

/** Fields of a document in a readable form: stages as in the pipeline's YAML. */
function textOf({ definition, ...settings }: Record<string, unknown>): string {
  const rest = Object.keys(settings).length === 0 ? '' : stringify(settings, { lineWidth: 0, blockQuote: 'literal' })
  return rest + (definition === undefined ? '' : toYaml((definition as { stages: StageInput[] }).stages))
}
