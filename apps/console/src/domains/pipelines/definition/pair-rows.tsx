import { Input } from 'antd'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useReadOnly } from '../steps/step-field.tsx'
import styles from './definition.module.css'

interface PairRowsProps<A extends string, B extends string> {
  label: string
  /** The two keys of a row, and their labels. */
  keys: readonly [A, B]
  words: readonly [string, string]
  add: string
  rows: readonly Record<A | B, string>[]
  onChange: (rows: Record<A | B, string>[]) => void
}

/** Rows of two texts: a variable and its value, a source and a target path. */
export function PairRows<A extends string, B extends string>(p: PairRowsProps<A, B>) {
  const readOnly = useReadOnly()
  const [a, b] = p.keys
  const change = (at: number, key: A | B, text: string) =>
    p.onChange(p.rows.map((row, i) => (i === at ? { ...row, [key]: text } : row)))
  return (
    <div className={styles.pairs} role="group" aria-label={p.label}>
      {p.rows.map((row, at) => (
        <div key={at} className={styles.pair}>
          <Input
            className="g-mono"
            aria-label={`${p.words[0]} ${at + 1}`}
            placeholder={p.words[0]}
            value={row[a]}
            disabled={readOnly}
            spellCheck={false}
            onChange={(event) => change(at, a, event.target.value)}
          />
          <Icon name="arrow" size={14} />
          <Input
            className="g-mono"
            aria-label={`${p.words[1]} ${at + 1}`}
            placeholder={p.words[1]}
            value={row[b]}
            disabled={readOnly}
            spellCheck={false}
            onChange={(event) => change(at, b, event.target.value)}
          />
          {!readOnly && (
            <Button
              quiet
              icon="delete"
              label={t('pipelines-ui-row-remove', { number: at + 1 })}
              onClick={() => p.onChange(p.rows.filter((_, i) => i !== at))}
            />
          )}
        </div>
      ))}
      {!readOnly && (
        <Button small icon="add" onClick={() => p.onChange([...p.rows, { [a]: '', [b]: '' } as Record<A | B, string>])}>
          {p.add}
        </Button>
      )}
    </div>
  )
}
