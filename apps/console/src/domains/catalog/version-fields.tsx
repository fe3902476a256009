import { Input, Switch } from 'antd'
import { t } from '../../api/language.ts'
import { Field } from '../../ui/form/form.tsx'

/** The fields of a version besides its blueprint. */
export const VersionFields = () => (
  <>
    <Field name="version" label={t('catalog-ui-version')} help={t('catalog-ui-version-help')}>
      <Input autoFocus maxLength={60} spellCheck={false} autoComplete="off" />
    </Field>
    <Field name="notes" label={t('catalog-ui-notes')} help={t('catalog-ui-notes-help')}>
      <Input.TextArea rows={2} maxLength={1000} />
    </Field>
    <Field name="published" label={t('catalog-ui-published')} help={t('catalog-ui-published-help')} value="checked">
      <Switch />
    </Field>
  </>
)
