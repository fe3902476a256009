import { Select } from 'antd'
import { t } from '../../api/language.ts'
import { count } from '../format.ts'
import { Icon } from '../icon.tsx'
import { pagerNumbers, pageSizes, type ListState } from './list-state.ts'

interface PagerProps {
  list: Pick<ListState, 'page' | 'pageSize' | 'setPage' | 'setPageSize'>
  total: number
  /** More items match than the server counts. */
  truncated?: boolean | undefined
}

/** The total, the page numbers, and the page size. */
export function Pager({ list, total, truncated }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / list.pageSize))
  const first = Math.min(total, (list.page - 1) * list.pageSize + 1)
  const last = Math.min(total, list.page * list.pageSize)
  return (
    <nav className="g-pager" aria-label={t('ui-pages')}>
      <span className="g-pager-total g-num">
        {t(truncated ? 'ui-page-range-many' : 'ui-page-range', { first, last, total: count(total) })}
      </span>
      <span className="g-pager-numbers">
        <Step icon="previous" label={t('ui-page-previous')} page={list.page - 1} max={pages} go={list.setPage} />
        {pagerNumbers(list.page, pages).map((page, at) =>
          page === 0 ? (
            <i key={`gap-${at}`} aria-hidden>
              …
            </i>
          ) : (
            <button
              key={page}
              type="button"
              className="g-num"
              aria-label={t('ui-page-number', { page })}
              aria-current={page === list.page ? 'page' : undefined}
              onClick={() => list.setPage(page)}
            >
              {page}
            </button>
          ),
        )}
        <Step icon="next" label={t('ui-page-next')} page={list.page + 1} max={pages} go={list.setPage} />
      </span>
      <Select
        size="small"
        value={list.pageSize}
        aria-label={t('ui-page-size')}
        options={pageSizes.map((size) => ({ value: size, label: t('ui-per-page', { size }) }))}
        onChange={list.setPageSize}
        popupMatchSelectWidth={false}
      />
    </nav>
  )
}

interface StepProps {
  icon: 'previous' | 'next'
  label: string
  page: number
  max: number
  go: (page: number) => void
}

/** At the first and the last page it keeps the focus after a press, which `disabled` would drop. */
function Step({ icon, label, page, max, go }: StepProps) {
  const beyond = page < 1 || page > max
  return (
    <button type="button" aria-label={label} aria-disabled={beyond} onClick={() => beyond || go(page)}>
      <Icon name={icon} size={14} />
    </button>
  )
}
