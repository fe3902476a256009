import { Form as Antd, Input, Switch } from 'antd'
import type { Configuration } from '@gantry/contract/stacks/spec-storage'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { example } from '../../../ui/form/example.ts'
import { Field } from '../../../ui/form/form.tsx'
import { ConfigProfileSelect, ConfigProjectSelect, ConfigTemplateSelect } from '../../config-centre/public.tsx'
import { Remove } from './list-fields.tsx'
import styles from './spec.module.css'

export const freshConfiguration: Configuration = { project: '', profile: '', env: true, templates: [] }

/** What a service reads from the configuration centre. */
export function ConfigurationFields() {
  const form = Antd.useFormInstance()
  const project: string = Antd.useWatch(['configuration', 'project'], form) ?? ''
  const env: boolean = Antd.useWatch(['configuration', 'env'], form) ?? true
  return (
    <div>
      <div className={`g-columns ${styles.twoColumns}`}>
        <Field filled name={['configuration', 'project']} label={t('config-ui-project')}>
          <ConfigProjectSelect
            // Another project has other profiles and templates.
            onChange={(next = '') => form.setFieldValue('configuration', { ...freshConfiguration, project: next, env })}
          />
        </Field>
        {project !== '' && (
          <Field filled name={['configuration', 'profile']} label={t('config-ui-profile')}>
            <ConfigProfileSelect key={project} project={project} />
          </Field>
        )}
      </div>
      <Field filled name={['configuration', 'env']} label={t('config-ui-env')} value="checked">
        <Switch />
      </Field>
      {project !== '' && <TemplateFiles key={project} project={project} />}
    </div>
  )
}

/** The templates that are files of the service, and their paths. */
function TemplateFiles({ project }: { project: string }) {
  const within = ['configuration', 'templates']
  return (
    <Antd.List name={within}>
      {(rows, { add, remove }) => (
        <div className={styles.rows}>
          {rows.map(({ key, name }) => (
            <div key={key} className={`g-field-row ${styles.row} ${styles.templateRow}`}>
              <Field filled within={within} name={[name, 'template']} label={t('config-ui-file')}>
                <ConfigTemplateSelect project={project} />
              </Field>
              <Field filled within={within} name={[name, 'path']} label={t('config-ui-path')}>
                <Input
                  className="g-mono"
                  spellCheck={false}
                  autoComplete="off"
                  placeholder={example('/etc/app/app.conf')}
                />
              </Field>
              <Remove what={t('config-ui-file')} onClick={() => remove(name)} />
            </div>
          ))}
          <Button icon="add" small onClick={() => add({ template: '', path: '' })}>
            {t('config-ui-file-add')}
          </Button>
        </div>
      )}
    </Antd.List>
  )
}
