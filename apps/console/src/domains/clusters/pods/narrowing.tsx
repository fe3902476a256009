import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import type { ListState } from '../../../ui/table/list-state.ts'
import styles from './pods.module.css'

/** A value of a row that filters the list. */
export const Narrowing = ({ value, onChoose }: { value: string; onChoose: (value: string) => void }) => (
  <button type="button" className={styles.only} title={t('pods-ui-only', { value })} onClick={() => onChoose(value)}>
    {value}
  </button>
)

/** The active filters of such values, each removable. `labels` by the names of the filters. */
export const Narrowed = ({ list, labels }: { list: ListState; labels: Record<string, string> }) =>
  Object.entries(labels).map(([name, label]) => {
    const value = list.filters[name] ?? ''
    return value === '' ? null : (
      <span key={name} className={styles.onlyChosen}>
        {t('pods-ui-no-longer', { label, value })}
        <Button
          quiet
          small
          icon="close"
          label={t('pods-ui-drop', { label, value })}
          onClick={() => list.setFilter(name, '')}
        />
      </span>
    )
  })
