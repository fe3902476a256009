import { t } from '../../api/language.ts'
import { Button } from '../button.tsx'

/** At the end of a bar: refetches what is shown. */
export const RefreshButton = ({ query }: { query: { isFetching: boolean; refetch: () => unknown } }) => (
  <span className="g-bar-end">
    <Button
      quiet
      icon="refresh"
      label={t('ui-refresh')}
      loading={query.isFetching}
      onClick={() => void query.refetch()}
    />
  </span>
)
