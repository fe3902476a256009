import { Checkbox, Select } from 'antd'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import type { List } from '@gantry/contract/paging'
import { t } from '../../api/language.ts'
import { BulkDialog, type BulkAction, type EachAction } from './bulk.tsx'
import { Button } from '../button.tsx'
import { useChosenColumns } from './chosen-columns.ts'
import { ColumnMenu } from './column-menu.tsx'
import type { Column } from './column.ts'
import { EmptyState, type EmptyProps } from '../feedback/empty-state.tsx'
import { Failed } from '../feedback/failed.tsx'
import { useClippedHint } from '../feedback/hint.tsx'
import { scrollStop } from '../focus/scroll-stop.ts'
import { GoTo, type To } from '../link.tsx'
import type { ListState } from './list-state.ts'
import { Pager } from './pager.tsx'
import { RefreshButton } from './refresh-button.tsx'
import { roving } from '../focus/roving.ts'
import { ActionMenu, type Action } from './row-actions.tsx'
import { SearchBox } from './search-box.tsx'
import { Skeleton } from '../feedback/skeleton.tsx'
import { TableHead } from './table-head.tsx'

/** The part of useRead's result that a table needs. */
export interface Query<R> {
  data: List<R> | readonly R[] | undefined
  error: unknown
  isPending: boolean
  isFetching: boolean
  refetch: () => unknown
}

/** Rows that are already loaded. */
export const atHand = <R,>(rows: readonly R[]): Query<R> => ({
  data: rows,
  error: null,
  isPending: false,
  isFetching: false,
  refetch: () => undefined,
})

export interface Filter {
  name: string
  label: string
  options: readonly { value: string; label: string }[]
}

export interface TableProps<R> {
  /** The name of the table, for screen readers. */
  label: string
  query: Query<R>
  columns: readonly Column<R>[]
  rowKey: (row: R) => string | number
  /** Page, order and filters in the address; absent for short lists without pages. */
  list?: ListState
  /** The search field's label; absent: no search. */
  search?: string
  filters?: readonly Filter[]
  /** Placed beside the filters. */
  toolbar?: ReactNode
  /** The target of the first column's link. */
  open?: (row: R) => To
  actions?: (row: R) => readonly Action[]
  bulk?: readonly BulkAction<R>[]
  /** Whether a row can be selected for a bulk action; absent: every row. */
  choosable?: (row: R) => boolean
  /** The row's name, in bulk dialogs and for its checkbox. */
  nameOf?: (row: R) => string
  empty?: EmptyProps
}

const isList = <R,>(data: List<R> | readonly R[]): data is List<R> => 'items' in data

/** A list of objects: search and filters, rows with actions, the pager; with loading, failed and empty states. */
export function ResourceTable<R>(p: TableProps<R>) {
  const { query, list, bulk = [] } = p
  const data = query.data
  const rows: readonly R[] = data === undefined ? [] : isList(data) ? data.items : data
  const total = data === undefined ? 0 : isList(data) ? data.totalSize : data.length
  const columns = useChosenColumns(list?.name, p.columns)
  const clipped = useClippedHint('.g-cell')
  const nameOf = (row: R): string => p.nameOf?.(row) ?? String(p.rowKey(row))

  const [running, setRunning] = useState<{ key: string; rows: readonly R[] }>()
  // Only visible rows are selected: another page or filter clears the selection, so that nothing unseen is changed.
  const listKey = JSON.stringify(list?.query ?? null)
  const [choice, setChoice] = useState<{ of: string; keys: readonly (string | number)[] }>({ of: listKey, keys: [] })
  const chosen = choice.of === listKey ? choice.keys : []
  const setChosen = (keys: readonly (string | number)[]) => setChoice({ of: listKey, keys })
  const choosable = p.choosable ? rows.filter(p.choosable) : rows
  const picked = choosable.filter((row) => chosen.includes(p.rowKey(row)))
  // The action as the page now declares it, because its confirmation may have a field.
  const runningAction = bulk.find(
    (action): action is EachAction<R> => action.key === running?.key && !('whole' in action),
  )
  const start = async (action: BulkAction<R>) => {
    if (!('whole' in action)) setRunning({ key: action.key, rows: picked })
    else if (await action.whole(picked)) setChosen([])
  }
  // The last page may not exist any more after rows were deleted.
  const beyond = list !== undefined && data !== undefined && rows.length === 0 && total > 0 && list.page > 1
  const toLastPage = useEffectEvent(() => list?.setPage(Math.max(1, Math.ceil(total / list.pageSize))))
  useEffect(() => {
    if (beyond) toLastPage()
  }, [beyond])

  const bar = p.search !== undefined || p.filters !== undefined || p.toolbar !== undefined
  const nothing = data !== undefined && total === 0
  if (nothing && !list?.narrowed && !query.error) {
    return (
      <>
        {p.toolbar !== undefined && <div className="g-bar">{p.toolbar}</div>}
        <EmptyState {...p.empty} />
      </>
    )
  }
  return (
    <div className="g-table-box">
      {bar && (
        <div className="g-bar">
          {p.search !== undefined && list && (
            <SearchBox label={p.search} value={list.keyword} onSearch={list.setKeyword} />
          )}
          {p.filters?.map((filter) => (
            <Select
              key={filter.name}
              aria-label={filter.label}
              prefix={<span className="g-faint">{filter.label}</span>}
              value={list?.filters[filter.name] ?? ''}
              options={[...filter.options]}
              onChange={(value) => list?.setFilter(filter.name, value)}
              popupMatchSelectWidth={false}
            />
          ))}
          {p.toolbar}
          <RefreshButton query={query}>{list && <ColumnMenu columns={columns} />}</RefreshButton>
        </div>
      )}
      {picked.length > 0 && (
        <div className="g-bulk" role="region" aria-label={t('ui-chosen-region')}>
          <span className="g-num">{t('ui-chosen', { count: picked.length })}</span>
          {bulk.map((action) => (
            <Button
              key={action.key}
              small
              danger={action.danger ?? false}
              {...(action.needs === undefined ? {} : { needs: action.needs })}
              onClick={() => void start(action)}
            >
              {action.label}
            </Button>
          ))}
          <Button small quiet onClick={() => setChosen([])}>
            {t('ui-choose-none')}
          </Button>
        </div>
      )}
      {query.error && data === undefined ? (
        <Failed error={query.error} retry={() => void query.refetch()} />
      ) : data === undefined ? (
        <Skeleton rows={Math.min(list?.pageSize ?? 5, 8)} columns={columns.visible.length} />
      ) : nothing ? (
        <div className="g-empty">
          <h2>{t('ui-nothing-matches')}</h2>
          <p>{t('ui-nothing-matches-memo')}</p>
          <Button onClick={() => list?.clear()}>{t('ui-clear-filters')}</Button>
        </div>
      ) : (
        <div className="g-table-scroll" role="region" aria-label={p.label} ref={scrollStop}>
          {query.error ? <Failed error={query.error} retry={() => void query.refetch()} /> : null}
          <table className="g-table" aria-label={p.label} aria-busy={query.isFetching} {...clipped}>
            <TableHead
              columns={columns.visible}
              list={list}
              actions={p.actions !== undefined}
              all={
                bulk.length > 0 && (
                  <Checkbox
                    aria-label={t('ui-choose-all')}
                    disabled={choosable.length === 0}
                    checked={picked.length > 0 && picked.length === choosable.length}
                    indeterminate={picked.length > 0 && picked.length < choosable.length}
                    onChange={(event) => setChosen(event.target.checked ? choosable.map(p.rowKey) : [])}
                  />
                )
              }
            />
            <tbody ref={roving}>
              {rows.map((row) => {
                const key = p.rowKey(row)
                return (
                  <tr key={key} aria-selected={bulk.length > 0 ? chosen.includes(key) : undefined}>
                    {bulk.length > 0 && (
                      <td className="g-td-pick">
                        <Checkbox
                          aria-label={t('ui-choose', { name: nameOf(row) })}
                          disabled={!choosable.includes(row)}
                          checked={chosen.includes(key)}
                          onChange={(event) =>
                            setChosen(event.target.checked ? [...chosen, key] : chosen.filter((k) => k !== key))
                          }
                        />
                      </td>
                    )}
                    {columns.visible.map((column, at) => (
                      <td key={column.key} data-label={column.title} className={cellClass(column, at)}>
                        <Cell>
                          {at === 0 && p.open ? <GoTo to={p.open(row)}>{column.cell(row)}</GoTo> : column.cell(row)}
                        </Cell>
                      </td>
                    ))}
                    {p.actions && (
                      <td className="g-td-actions">
                        <ActionMenu actions={p.actions(row)} label={t('ui-actions-of', { name: nameOf(row) })} />
                      </td>
                    )}
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
      {list && data !== undefined && total > 0 && (
        <Pager list={list} total={total} truncated={isList(data) ? data.truncated : undefined} />
      )}
      {running && runningAction && (
        <BulkDialog
          action={runningAction}
          rows={running.rows}
          nameOf={nameOf}
          onClose={(did) => {
            setRunning(undefined)
            if (!did) return
            setChosen([])
            void query.refetch()
          }}
        />
      )}
    </div>
  )
}

/** The outer box is as wide as the column allows; the inner one clips longer texts. */
const Cell = ({ children }: { children: ReactNode }) => (
  <div className="g-cell">
    <div>{children}</div>
  </div>
)

const cellClass = <R,>(column: Column<R>, at: number): string =>
  [
    at === 0 ? 'g-td-first' : '',
    column.align === 'right' ? 'g-td-right g-num' : '',
    column.wideOnly ? 'g-wide-only' : '',
    column.mono ? 'g-mono' : '',
  ]
    .filter(Boolean)
    .join(' ')
