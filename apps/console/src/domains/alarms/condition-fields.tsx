import { AlarmMetric, Conditions, Operator, Severity } from '@gantry/contract/alarms/conditions'
import { Form as Antd, InputNumber, Select } from 'antd'
import { z } from 'zod'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/form.tsx'
import { problemAt } from '../../ui/form/problems.ts'
import styles from './alarms.module.css'

const usual = { metric: 'cpu_percent', operator: '>', threshold: 80, for: 5, severity: 'warning' } as const

/** The problem of all conditions together: two are equal. */
const together = {
  validator: (_: unknown, value: unknown) => {
    const words = problemAt(z.object({ rules: Conditions }), { rules: value ?? [] }, ['rules'])
    return words === undefined ? Promise.resolve() : Promise.reject(new Error(words))
  },
}

/** The field `rules` of a Form: one row per condition. */
export function ConditionFields() {
  return (
    <section className={styles.block} aria-label={t('alarms-ui-conditions')}>
      <h2>{t('alarms-ui-conditions')}</h2>
      <p className="g-faint">{t('alarms-ui-conditions-help')}</p>
      <Antd.List name="rules" rules={[together]}>
        {(rows, { add, remove }, { errors }) => (
          <div className={styles.rows}>
            {rows.map(({ key, name }) => (
              <div key={key} className={styles.condition}>
                <Field filled within="rules" name={[name, 'metric']} label={t('alarms-ui-metric')}>
                  <Select
                    options={AlarmMetric.options.map((value) => ({ value, label: t(`alarms-ui-metric-${value}`) }))}
                  />
                </Field>
                <Field filled within="rules" name={[name, 'operator']} label={t('alarms-ui-operator')}>
                  <Select options={Operator.options.map((value) => ({ value, label: value }))} />
                </Field>
                <Field filled within="rules" name={[name, 'threshold']} label={t('alarms-ui-threshold')}>
                  <InputNumber min={0} max={10_000} />
                </Field>
                <Field filled within="rules" name={[name, 'for']} label={t('alarms-ui-for')}>
                  <InputNumber min={0} max={1440} precision={0} />
                </Field>
                <Field filled within="rules" name={[name, 'severity']} label={t('alarms-ui-severity')}>
                  <Select
                    options={Severity.options.map((value) => ({ value, label: t(`alarms-ui-severity-${value}`) }))}
                  />
                </Field>
                <Button
                  quiet
                  icon="delete"
                  label={t('alarms-ui-remove', { what: t('alarms-ui-condition') })}
                  onClick={() => remove(name)}
                />
              </div>
            ))}
            <Antd.ErrorList errors={errors} />
            <Button icon="add" small onClick={() => add(usual)}>
              {t('alarms-ui-condition-add')}
            </Button>
          </div>
        )}
      </Antd.List>
    </section>
  )
}
