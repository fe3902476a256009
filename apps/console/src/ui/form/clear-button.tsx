import { t } from '../../api/language.ts'
import { Icon } from '../icon.tsx'

/** The value for `allowClear` of selects and fields, because antd's own button has an English label only. */
export const clearButton = () => {
  const label = t('ui-clear-value')
  return { label, clearIcon: <Icon name="close" size={12} label={label} /> }
}
