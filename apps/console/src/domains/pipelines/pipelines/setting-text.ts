import type { Setting } from '@gantry/contract/pipelines/pipelines'
import { mask } from '@gantry/contract/validators'
import { stringify } from 'yaml'
import { t } from '../../../api/language.ts'

/** Settings as text. A new secret is only marked as new. */
export function settingText({ repository, variables, ...rest }: Setting): string {
  const hidden = (value: string): string => (value === '' || value === mask ? value : t('pipelines-ui-secret-new'))
  const display = {
    ...rest,
    repository: repository && { ...repository, password: hidden(repository.password) },
    variables: variables.map((one) => (one.secret ? { ...one, value: hidden(one.value) } : one)),
  }
  return stringify(display, { lineWidth: 0 })
}
