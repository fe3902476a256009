import { Form as Antd, Input, Select, Switch } from 'antd'
import { ParameterKind, type Parameter } from '@gantry/contract/pipelines/parameters'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { ParameterInput } from './parameter-input.tsx'
import styles from './definition.module.css'

const list = 'parameters'

/** The parameters of a pipeline, in its settings. */
export function ParameterFields() {
  return (
    <Antd.List name={list}>
      {(rows, { add, remove }, { errors }) => (
        <div className="g-entries" role="group" aria-label={t('pipelines-ui-parameters')}>
          {rows.map((row, at) => (
            <ParameterRow key={row.key} row={row.name} number={at + 1} onRemove={() => remove(row.name)} />
          ))}
          <Antd.ErrorList errors={errors} />
          <Button icon="add" onClick={() => add({ name: '', kind: 'text', defaultValue: '', description: '' })}>
            {t('pipelines-ui-parameter-add')}
          </Button>
        </div>
      )}
    </Antd.List>
  )
}

interface RowProps {
  row: number
  number: number
  onRemove: () => void
}

function ParameterRow({ row, number, onRemove }: RowProps) {
  const form = Antd.useFormInstance()
  const { kind = 'text', values = [] }: Partial<Parameter> = Antd.useWatch([list, row], form) ?? {}
  return (
    <div className={styles.parameter} role="group" aria-label={t('pipelines-ui-parameter-number-of', { number })}>
      <div className={styles.parameterHead}>
        <span>{t('pipelines-ui-parameter-number-of', { number })}</span>
        <Button quiet small icon="delete" label={t('pipelines-ui-row-remove', { number })} onClick={onRemove} />
      </div>
      <div className="g-columns">
        <Field within={list} name={[row, 'name']} label={t('pipelines-ui-name')}>
          <Input spellCheck={false} className="g-mono" />
        </Field>
        <Field within={list} name={[row, 'kind']} label={t('pipelines-ui-parameter-kind')} filled>
          <Select
            options={ParameterKind.options.map((value) => ({ value, label: t(`pipelines-ui-parameter-${value}`) }))}
            // a default seldom fits another kind, and only a secret may be a mask
            onChange={() => form.setFieldValue([list, row, 'defaultValue'], '')}
          />
        </Field>
        {kind === 'choice' && (
          <Field
            within={list}
            name={[row, 'values']}
            label={t('pipelines-ui-parameter-values')}
            help={t('pipelines-ui-parameter-values-help')}
            filled
          >
            <Select mode="tags" open={false} suffixIcon={null} />
          </Field>
        )}
        <Field within={list} name={[row, 'defaultValue']} label={t('pipelines-ui-default')} filled>
          <ParameterInput kind={kind} values={values} clearable />
        </Field>
        {(kind === 'text' || kind === 'secret') && (
          <Field
            within={list}
            name={[row, 'pattern']}
            label={t('pipelines-ui-parameter-pattern')}
            help={t('pipelines-ui-parameter-pattern-help')}
          >
            <Input spellCheck={false} className="g-mono" maxLength={200} />
          </Field>
        )}
        <Field within={list} name={[row, 'description']} label={t('pipelines-ui-description')}>
          <Input maxLength={1000} />
        </Field>
        <Field within={list} name={[row, 'required']} label={t('pipelines-ui-parameter-required')} value="checked">
          <Switch />
        </Field>
      </div>
    </div>
  )
}
