import type { ReactNode } from 'react'
import { t } from '../../api/language.ts'
import { Icon } from '../icon.tsx'
import type { ListState } from './list-state.ts'
import { leastWidth, type Column } from './column.ts'
import { roving } from '../focus/roving.ts'

interface HeadProps<R> {
  columns: readonly Column<R>[]
  list: ListState | undefined
  actions: boolean
  /** The checkbox that selects every row of the page. */
  all: ReactNode
}

/** The cycle of a column's order: off, ascending, descending, off. */
export const nextSort = (name: string, now: string): string =>
  now === name ? `-${name}` : now === `-${name}` ? '' : name

export function TableHead<R>({ columns, list, actions, all }: HeadProps<R>) {
  return (
    <thead ref={roving}>
      <tr>
        {all && <th className="g-td-pick">{all}</th>}
        {columns.map((column, at) => {
          const name = column.sort === true ? column.key : column.sort || ''
          const order =
            name === ''
              ? undefined
              : list?.sort === name
                ? 'ascending'
                : list?.sort === `-${name}`
                  ? 'descending'
                  : 'none'
          return (
            <th
              key={column.key}
              scope="col"
              className={[
                at === 0 ? 'g-td-first' : '',
                column.align === 'right' ? 'g-td-right' : '',
                column.wideOnly ? 'g-wide-only' : '',
              ]
                .filter(Boolean)
                .join(' ')}
              style={{ minWidth: leastWidth(column, at), ...(column.width !== undefined && { width: column.width }) }}
              aria-sort={order}
            >
              {list && name !== '' ? (
                <button type="button" className="g-sort" onClick={() => list.setSort(nextSort(name, list.sort))}>
                  {column.title}
                  <span className={`g-sort-mark g-sort-${order}`}>
                    <Icon name="chevron" size={12} />
                  </span>
                </button>
              ) : (
                column.title
              )}
            </th>
          )
        })}
        {actions && (
          <th className="g-td-actions">
            <span className="g-hidden">{t('ui-actions')}</span>
          </th>
        )}
      </tr>
    </thead>
  )
}
