import { t } from '../../api/language.ts'

/** A loading placeholder. It appears after a delay, so that a quick answer does not flicker. */
export function Skeleton({ rows = 4, columns = 1 }: { rows?: number; columns?: number }) {
  return (
    <div className="g-skeleton" role="status" aria-label={t('ui-loading')}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row}>
          {Array.from({ length: columns }, (_, column) => (
            <i key={column} style={{ maxWidth: `${45 + ((row * 29 + column * 41) % 50)}%` }} />
          ))}
        </div>
      ))}
    </div>
  )
}
