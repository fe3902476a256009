import { Form as Antd, Input, InputNumber, Select, Switch } from 'antd'
import { useState, type ReactNode } from 'react'
import { maskedValue, ServiceSpec } from '@gantry/contract/stacks/spec'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { problemAt, type Path } from '../../ui/problems.ts'

interface RowFieldProps {
  /** Its place in its row, for the list; and in the whole specification, for the rules. */
  name: [number, string]
  path: Path
  label: string
  value?: 'checked'
  children: ReactNode
}

/** A field of a row: its label stands above the first row alone, and is said with every one. */
function RowField({ name, path, label, value, children }: RowFieldProps) {
  return (
    <Antd.Item
      name={name}
      className="s-row-field"
      validateTrigger={['onBlur', 'onSubmit']}
      {...(name[0] === 0 ? { label } : {})}
      {...(value === undefined ? {} : { valuePropName: value })}
      rules={[
        ({ getFieldsValue }) => ({
          validator: () => {
            const words = problemAt(ServiceSpec.partial(), getFieldsValue(true), path)
            return words === undefined ? Promise.resolve() : Promise.reject(new Error(words))
          },
        }),
      ]}
    >
      {children}
    </Antd.Item>
  )
}

const Remove = ({ what, first, onClick }: { what: string; first: boolean; onClick: () => void }) => (
  <span className={first ? 's-row-end s-row-labelled' : 's-row-end'}>
    <Button quiet icon="delete" label={t('stacks-ui-row-remove', { what })} onClick={onClick} />
  </span>
)

/** The rows of a list that are wrong together: a port that stands twice. */
const together = (list: 'ports' | 'environment') => ({
  rules: [
    {
      validator: (_: unknown, value: unknown) => {
        const words = problemAt(ServiceSpec.partial(), { [list]: value ?? [] }, [list])
        // What is wrong in one row is told there.
        const own =
          Array.isArray(value) &&
          value.some((_row, at) => problemAt(ServiceSpec.partial(), { [list]: value }, [list, at]))
        return words === undefined || own ? Promise.resolve() : Promise.reject(new Error(words))
      },
    },
  ],
})

/** Ports that the service answers on. */
export function PortList() {
  return (
    <Antd.List name="ports" {...together('ports')}>
      {(rows, { add, remove }, { errors }) => (
        <div className="s-rows">
          {rows.map(({ key, name }) => (
            <div key={key} className="s-row s-row-port">
              <RowField name={[name, 'port']} path={['ports', name, 'port']} label={t('stacks-ui-port')}>
                <InputNumber min={1} max={65_535} precision={0} aria-label={t('stacks-ui-port')} placeholder="8080" />
              </RowField>
              <RowField name={[name, 'protocol']} path={['ports', name, 'protocol']} label={t('stacks-ui-protocol')}>
                <Select
                  aria-label={t('stacks-ui-protocol')}
                  options={['TCP', 'UDP'].map((value) => ({ value, label: value }))}
                />
              </RowField>
              <Remove what={t('stacks-ui-port')} first={name === 0} onClick={() => remove(name)} />
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

/** Environment variables; a secret one is stored sealed and never shown again. */
export function VariableList() {
  const form = Antd.useFormInstance()
  const list: readonly ({ secret?: boolean; value?: string } | undefined)[] = Antd.useWatch('environment', form) ?? []
  return (
    <Antd.List name="environment" {...together('environment')}>
      {(rows, { add, remove }, { errors }) => (
        <div className="s-rows">
          {rows.map(({ key, name }) => {
            const row = list[name]
            const label = t('stacks-ui-variable-value')
            return (
              <div key={key} className="s-row s-row-variable">
                <RowField name={[name, 'name']} path={['environment', name, 'name']} label={t('stacks-ui-variable')}>
                  <Input
                    className="g-mono"
                    aria-label={t('stacks-ui-variable')}
                    spellCheck={false}
                    autoComplete="off"
                    placeholder="LOG_LEVEL"
                  />
                </RowField>
                <RowField name={[name, 'value']} path={['environment', name, 'value']} label={label}>
                  {row?.secret ? (
                    <Input.Password
                      aria-label={label}
                      autoComplete="new-password"
                      visibilityToggle={row.value !== maskedValue}
                    />
                  ) : (
                    <Input className="g-mono" aria-label={label} spellCheck={false} autoComplete="off" />
                  )}
                </RowField>
                <RowField
                  name={[name, 'secret']}
                  path={['environment', name, 'secret']}
                  label={t('stacks-ui-secret')}
                  value="checked"
                >
                  <Switch
                    aria-label={t('stacks-ui-secret')}
                    onChange={(secret) => {
                      // The mask stands for a secret; as a plain value it would be eight asterisks.
                      if (!secret && row?.value === maskedValue) form.setFieldValue(['environment', name, 'value'], '')
                    }}
                  />
                </RowField>
                <Remove what={t('stacks-ui-variable')} first={name === 0} onClick={() => remove(name)} />
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

/** A list of words, one a line; empty lines are none. A field of a Form. */
export function Lines({ id, value = [], onChange }: LinesProps) {
  const [text, setText] = useState(value.join('\n'))
  return (
    <Input.TextArea
      {...(id === undefined ? {} : { id })}
      className="g-mono"
      spellCheck={false}
      autoSize={{ minRows: 1, maxRows: 8 }}
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        onChange?.(event.target.value.split('\n').filter((line) => line.trim() !== ''))
      }}
    />
  )
}
