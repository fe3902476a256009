import { t } from '../../api/language.ts'
import { Icon } from '../icon.tsx'

/** What `allowClear` is given, of a selector and of a field: antd says what its own button does in English alone. */
export const clearButton = () => {
  const label = t('ui-clear-value')
  return { label, clearIcon: <Icon name="close" size={12} label={label} /> }
}
