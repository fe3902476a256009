import { Input } from 'antd'
import { t } from '../../../api/language.ts'
import { Field } from '../../../ui/form/form.tsx'

/** A team's name and description; in a form for the body of `teams.create` or `teams.update`. */
export const TeamFields = () => (
  <>
    <Field name="name" label={t('teams-ui-name')} help={t('teams-ui-name-help')}>
      <Input autoFocus maxLength={20} spellCheck={false} autoComplete="off" />
    </Field>
    <Field name="description" label={t('teams-ui-description')}>
      <Input.TextArea rows={3} maxLength={1000} />
    </Field>
  </>
)
