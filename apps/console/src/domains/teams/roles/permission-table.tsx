import { Checkbox } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import type { PermissionModule } from '@gantry/contract/auth/session'
import { t } from '../../../api/language.ts'
import { useHint } from '../../../ui/feedback/hint.tsx'
import { SearchBox } from '../../../ui/table/search-box.tsx'
import {
  type Area,
  keysOf,
  matching,
  matrixOf,
  shareOf,
  type PermissionRow,
  type Verb,
  verbs,
} from './permission-matrix.ts'
import { areaName, permissionName, thingName } from './permission-words.ts'
import styles from './permission-table.module.css'

export interface PermissionTableProps {
  /** The selectable permissions. */
  modules: readonly PermissionModule[]
  chosen: ReadonlySet<string>
  /** The previous selection, to mark changes. */
  first?: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
  /** Why a checkbox is disabled; undefined if it is not. */
  closed?: (key: string) => ReactNode | undefined
}

const keysOfThing = (thing: PermissionRow): string[] => Object.values(thing.keys)
const inColumn = (areas: readonly Area[], verb: Verb): string[] =>
  areas.flatMap(({ things }) => things.flatMap(({ keys }) => keys[verb] ?? []))

/** Permissions as a table: a row per thing, a column per action; whole rows, columns and areas can be selected. */
export function PermissionTable(p: PermissionTableProps) {
  const [typed, setTyped] = useState('')
  const all = useMemo(() => matrixOf(p.modules), [p.modules])
  const areas = matching(all, typed, (area, thing) =>
    [areaName(area), thingName(thing), ...keysOfThing(thing), ...keysOfThing(thing).map(permissionName)].join(' '),
  )
  const used = verbs.filter((verb) => inColumn(all, verb).length > 0)
  const total = all.flatMap(keysOf)

  const open = (key: string) => p.closed?.(key) === undefined
  const put = (keys: readonly string[], on: boolean) => {
    const next = new Set(p.chosen)
    for (const key of keys.filter(open)) {
      if (on) next.add(key)
      else next.delete(key)
    }
    p.onChange(next)
  }
  /** A checkbox for several permissions; disabled ones keep their value. */
  const many = (keys: readonly string[], label: string, text?: ReactNode) => {
    const share = shareOf(keys, p.chosen)
    return (
      <Checkbox
        aria-label={label}
        checked={share === 'all'}
        indeterminate={share === 'some'}
        disabled={!keys.some(open)}
        onChange={() =>
          put(
            keys,
            keys.some((key) => open(key) && !p.chosen.has(key)),
          )
        }
      >
        {text}
      </Checkbox>
    )
  }
  return (
    <div className={styles.permissions}>
      <div className={styles.bar}>
        <SearchBox value={typed} onSearch={setTyped} label={t('roles-ui-search')} />
        <span className={styles.count} aria-live="polite">
          {t('roles-ui-carried', { count: total.filter((key) => p.chosen.has(key)).length, total: total.length })}
        </span>
      </div>
      {areas.length === 0 && <p className="g-faint">{t('ui-nothing-matches')}</p>}
      {areas.length > 0 && (
        <div className={styles.frame}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{t('roles-ui-thing')}</th>
                {used.map((verb) => {
                  const label = t(`teams-ui-verb-${verb}`)
                  const keys = inColumn(areas, verb)
                  return (
                    <th key={verb} scope="col">
                      {keys.length > 0 ? many(keys, t('roles-ui-column', { verb: label }), label) : label}
                    </th>
                  )
                })}
              </tr>
            </thead>
            {areas.map((area) => (
              <tbody key={area.key}>
                <tr className={styles.area}>
                  <th scope="rowgroup" colSpan={used.length + 1}>
                    {many(keysOf(area), t('roles-ui-area', { area: areaName(area) }), areaName(area))}
                  </th>
                </tr>
                {area.things.map((thing) => (
                  <tr key={thing.key}>
                    <th scope="row">
                      {many(keysOfThing(thing), t('roles-ui-row', { thing: thingName(thing) }), thingName(thing))}
                    </th>
                    {used.map((verb) => {
                      const key = thing.keys[verb]
                      return key === undefined ? (
                        <td key={verb} className={styles.none}>
                          <span aria-hidden>·</span>
                        </td>
                      ) : (
                        <td key={verb} data-label={t(`teams-ui-verb-${verb}`)}>
                          <Box
                            name={key}
                            on={p.chosen.has(key)}
                            changed={p.first !== undefined && p.first.has(key) !== p.chosen.has(key)}
                            reason={p.closed?.(key)}
                            onChange={(on) => put([key], on)}
                          />
                        </td>
                      )
                    })}
                  </tr>
                ))}
              </tbody>
            ))}
          </table>
        </div>
      )}
    </div>
  )
}

interface BoxProps {
  name: string
  on: boolean
  changed: boolean
  reason: ReactNode | undefined
  onChange: (on: boolean) => void
}

/** One permission. A disabled checkbox shows the reason under the pointer, an enabled one its key. */
function Box({ name, on, changed, reason, onChange }: BoxProps) {
  const hint = useHint(
    <>
      {permissionName(name)} <code>{name}</code>
      {reason !== undefined && <p className={styles.reason}>{reason}</p>}
    </>,
  )
  return (
    <span className={changed ? `${styles.box} ${styles.changed}` : styles.box} {...hint}>
      <Checkbox
        aria-label={permissionName(name)}
        checked={on}
        disabled={reason !== undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
    </span>
  )
}
