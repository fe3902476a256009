import { type ReactNode, useState } from 'react'
import type { PermissionModule } from '@gantry/contract/auth/session'
import { t } from '../../../api/language.ts'
import type { Needs } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { useUnsaved } from '../../../ui/form/unsaved.ts'
import { differenceOf } from './permission-matrix.ts'
import { PermissionTable } from './permission-table.tsx'
import { permissionName } from './permission-words.ts'
import styles from './permission-table.module.css'

interface PermissionEditorProps {
  modules: readonly PermissionModule[]
  /** The present permissions. */
  first: ReadonlySet<string>
  /** The initial selection, if it differs from the present permissions. */
  initial?: ReadonlySet<string>
  /** Something beside the table was changed. */
  dirty?: boolean
  /** Why a checkbox is disabled. */
  closed: (key: string, first: ReadonlySet<string>) => ReactNode | undefined
  /** Why saving is not possible. */
  disabled?: string | false
  needs?: Needs
  saving: boolean
  onSave: (chosen: ReadonlySet<string>) => void
  onCancel: () => void
}

/** The number of changes that are named; the others are counted. */
const maxNamed = 6

/** The table, its changes, and the save button. Leaving with changes asks first. */
export function PermissionEditor(p: PermissionEditorProps) {
  const begun = p.initial ?? p.first
  // undefined: the user has changed nothing, so the table follows what others save
  const [changed, setChanged] = useState<ReadonlySet<string>>()
  const chosen = changed ?? begun
  const choose = (next: ReadonlySet<string>) => {
    const { added, removed } = differenceOf(begun, next)
    setChanged(added.length + removed.length === 0 ? undefined : next)
  }
  const { added, removed } = differenceOf(p.first, chosen)
  const same = added.length + removed.length === 0
  const dirty = !same || (p.dirty ?? false)
  useUnsaved(dirty && !p.saving)
  const lines = [
    ...added.map((key) => ({ key, sign: '+', kind: styles.added })),
    ...removed.map((key) => ({ key, sign: '−', kind: styles.removed })),
  ]
  return (
    <>
      <PermissionTable
        modules={p.modules}
        chosen={chosen}
        first={p.first}
        onChange={choose}
        closed={(key) => p.closed(key, p.first)}
      />
      <div className={styles.foot}>
        <ul className={styles.diff} aria-label={t('roles-ui-changed')} aria-live="polite">
          {same && <li>{t('ui-yaml-same')}</li>}
          {lines.slice(0, maxNamed).map(({ key, sign, kind }) => (
            <li key={key} className={kind} title={key}>
              {sign} {permissionName(key)}
            </li>
          ))}
          {lines.length > maxNamed && <li>{t('ui-and-more', { count: lines.length - maxNamed })}</li>}
        </ul>
        <div className="g-row">
          <Button onClick={p.onCancel}>{t('ui-cancel')}</Button>
          <Button
            primary
            {...(p.needs === undefined ? {} : { needs: p.needs })}
            disabled={p.disabled || (!dirty && t('ui-yaml-same'))}
            loading={p.saving}
            onClick={() => p.onSave(chosen)}
          >
            {t('ui-save')}
          </Button>
        </div>
      </div>
    </>
  )
}
