import type { ReactNode } from 'react'
import { t } from '../../api/language.ts'
import { Button } from '../button.tsx'

/** At the end of a bar: refetches the displayed data. */
export const RefreshButton = ({
  query,
  children,
}: {
  query: { isFetching: boolean; refetch: () => unknown }
  /** Placed before it. */
  children?: ReactNode
}) => (
  <span className="g-bar-end">
    {children}
    <Button
      quiet
      icon="refresh"
      label={t('ui-refresh')}
      loading={query.isFetching}
      onClick={() => void query.refetch()}
    />
  </span>
)
