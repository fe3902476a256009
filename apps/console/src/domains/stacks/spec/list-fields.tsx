import { example } from '../../../ui/form/example.ts'
import { Form as Antd, Input, InputNumber, Select, Switch } from 'antd'
import { useState } from 'react'
import { maskedValue, ServiceDocument } from '@gantry/contract/stacks/spec'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { problemAt } from '../../../ui/form/problems.ts'
import { ValueArea } from '../../../ui/form/value-area.tsx'
import styles from './spec.module.css'

export const Remove = ({ what, onClick }: { what: string; onClick: () => void }) => (
  <span className={styles.rowEnd}>
    <Button quiet icon="delete" label={t('stacks-ui-row-remove', { what })} onClick={onClick} />
  </span>
)

/** Reports problems of several rows together, such as a duplicate port. */
const together = (list: 'ports' | 'environment') => ({
  rules: [
    {
      validator: (_: unknown, value: unknown) => {
        const words = problemAt(ServiceDocument.partial(), { [list]: value ?? [] }, [list])
        // Problems of a single row are reported there.
        const own =
          Array.isArray(value) &&
          value.some((_row, at) => problemAt(ServiceDocument.partial(), { [list]: value }, [list, at]))
        return words === undefined || own ? Promise.resolve() : Promise.reject(new Error(words))
      },
    },
  ],
})

/** Ports on which the service listens. */
export function PortList() {
  return (
    <Antd.List name="ports" {...together('ports')}>
      {(rows, { add, remove }, { errors }) => (
        <div className={styles.rows}>
          {rows.map(({ key, name }) => (
            <div key={key} className={`g-field-row ${styles.row} ${styles.portRow}`}>
              <Field filled within="ports" name={[name, 'port']} label={t('stacks-ui-port')}>
                <InputNumber min={1} max={65_535} precision={0} placeholder={example('8080')} />
              </Field>
              <Field filled within="ports" name={[name, 'protocol']} label={t('stacks-ui-protocol')}>
                <Select options={['TCP', 'UDP'].map((value) => ({ value, label: value }))} />
              </Field>
              <Remove what={t('stacks-ui-port')} onClick={() => remove(name)} />
            </div>
          ))}
          <Antd.ErrorList errors={errors} />
          <Button icon="add" small onClick={() => add({ protocol: 'TCP' })}>
            {t('stacks-ui-port-add')}
          </Button>
        </div>
      )}
    </Antd.List>
  )
}

/** Environment variables; a secret one is stored encrypted and never shown again. */
export function VariableList() {
  const form = Antd.useFormInstance()
  const list: readonly ({ secret?: boolean; value?: string } | undefined)[] = Antd.useWatch('environment', form) ?? []
  return (
    <Antd.List name="environment" {...together('environment')}>
      {(rows, { add, remove }, { errors }) => (
        <div className={styles.rows}>
          {rows.map(({ key, name }) => {
            const row = list[name]
            return (
              <div key={key} className={`g-field-row ${styles.row} ${styles.variableRow}`}>
                <Field filled within="environment" name={[name, 'name']} label={t('stacks-ui-variable')}>
                  <Input className="g-mono" spellCheck={false} autoComplete="off" placeholder={example('LOG_LEVEL')} />
                </Field>
                <Field filled within="environment" name={[name, 'value']} label={t('stacks-ui-variable-value')}>
                  <ValueArea secret={row?.secret ?? false} />
                </Field>
                <Field
                  filled
                  within="environment"
                  name={[name, 'secret']}
                  label={t('stacks-ui-secret')}
                  value="checked"
                >
                  <Switch
                    onChange={(secret) => {
                      // The mask stands for a secret; as a plain value it would be eight literal asterisks.
                      if (!secret && row?.value === maskedValue) form.setFieldValue(['environment', name, 'value'], '')
                    }}
                  />
                </Field>
                <Remove what={t('stacks-ui-variable')} onClick={() => remove(name)} />
              </div>
            )
          })}
          <Antd.ErrorList errors={errors} />
          <Button icon="add" small onClick={() => add({ value: '', secret: false })}>
            {t('stacks-ui-variable-add')}
          </Button>
        </div>
      )}
    </Antd.List>
  )
}

interface LinesProps {
  id?: string
  value?: readonly string[]
  onChange?: (value: string[]) => void
}

/** A list of words, one per line, without empty lines. A field of a Form. */
export function Lines({ id, value = [], onChange }: LinesProps) {
  const [text, setText] = useState(value.join('\n'))
  return (
    <Input.TextArea
      {...(id === undefined ? {} : { id })}
      className="g-mono g-grow"
      rows={1}
      spellCheck={false}
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        onChange?.(event.target.value.split('\n').filter((line) => line.trim() !== ''))
      }}
    />
  )
}
