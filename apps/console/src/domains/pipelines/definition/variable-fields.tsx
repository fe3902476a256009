import { Form as Antd, Input, Select, Switch } from 'antd'
import { mask } from '@gantry/contract/validators'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { ValueArea } from '../../../ui/form/value-area.tsx'

interface VariableFieldsProps {
  /** The path of the list in the form. */
  name: string
  label: string
}

/** The scope of a secret; empty means everywhere. */
const scopes = [
  ['branches', 'pipelines-ui-scope-branches'],
  ['steps', 'pipelines-ui-scope-steps'],
] as const

/** A list of variables in a Form: name, value, and whether the value is a secret. A stored secret shows as its mask. */
export function VariableFields({ name, label }: VariableFieldsProps) {
  const form = Antd.useFormInstance()
  const secretAt = (row: number): boolean => form.getFieldValue([name, row, 'secret']) === true
  return (
    <Antd.List name={name}>
      {(rows, { add, remove }, { errors }) => (
        <div className="g-entries" role="group" aria-label={label}>
          {rows.map((row, at) => (
            <div key={row.key} className="g-field-row g-entry">
              <Field within={name} name={[row.name, 'name']} label={t('pipelines-ui-name')}>
                <Input spellCheck={false} autoComplete="off" className="g-mono" />
              </Field>
              <Antd.Item noStyle shouldUpdate>
                {() => (
                  <Field within={name} name={[row.name, 'value']} label={t('pipelines-ui-value')} filled>
                    <ValueArea secret={secretAt(row.name)} />
                  </Field>
                )}
              </Antd.Item>
              <Field within={name} name={[row.name, 'secret']} label={t('pipelines-ui-secret')} value="checked">
                <Switch
                  onChange={(secret) => {
                    // The mask means a stored secret; as a plain value it would be eight literal asterisks.
                    const place = [name, row.name, 'value']
                    if (!secret && form.getFieldValue(place) === mask) form.setFieldValue(place, '')
                  }}
                />
              </Field>
              <Antd.Item noStyle shouldUpdate>
                {() =>
                  secretAt(row.name) &&
                  scopes.map(([key, label]) => (
                    <Field key={key} within={name} name={[row.name, key]} label={t(label)}>
                      <Select
                        mode="tags"
                        open={false}
                        suffixIcon={null}
                        tokenSeparators={[',']}
                        placeholder={t('pipelines-ui-scope-all')}
                      />
                    </Field>
                  ))
                }
              </Antd.Item>
              <Button
                quiet
                icon="delete"
                label={t('pipelines-ui-row-remove', { number: at + 1 })}
                onClick={() => remove(row.name)}
              />
            </div>
          ))}
          <Antd.ErrorList errors={errors} />
          <Button icon="add" onClick={() => add({ name: '', value: '', secret: false })}>
            {t('pipelines-ui-variable-add')}
          </Button>
        </div>
      )}
    </Antd.List>
  )
}
