import type { InspectedChart } from '@gantry/contract/helm/charts'
import { isValues, mergeValues, type Values } from '@gantry/contract/helm/layers'
import { Input, InputNumber, Select, Switch } from 'antd'
import { isMap, parseDocument } from 'yaml'
import { t } from '../../../api/language.ts'
import styles from './deploy.module.css'
import { valuesIn } from './values-text.ts'

type Field = { path: string[]; title: string; help: string } & (
  | { type: 'text' | 'number' | 'flag' }
  | { type: 'choice'; choices: string[] }
)

const maxFields = 60
const deepest = 3

function typeOf(schema: Values): Pick<Field, 'type'> | { type: 'choice'; choices: string[] } | undefined {
  const choices = schema['enum']
  if (Array.isArray(choices) && choices.every((one) => typeof one === 'string')) return { type: 'choice', choices }
  switch (schema['type']) {
    case 'string':
      return { type: 'text' }
    case 'boolean':
      return { type: 'flag' }
    case 'integer':
    case 'number':
      return { type: 'number' }
    default:
      return undefined
  }
}

const textAt = (schema: Values, key: string): string => (typeof schema[key] === 'string' ? schema[key] : '')

function fieldsWithin(schema: Values, path: string[]): Field[] {
  const properties = schema['properties']
  if (!isValues(properties) || path.length >= deepest) return []
  return Object.entries(properties).flatMap(([key, inner]): Field[] => {
    if (!isValues(inner)) return []
    const at = [...path, key]
    const type = typeOf(inner)
    if (!type) return fieldsWithin(inner, at)
    const title = textAt(inner, 'title') || at.join('.')
    return [{ path: at, title, help: textAt(inner, 'description'), ...type } as Field]
  })
}

/** The fields of a schema that a form can show: texts, numbers, choices and switches. Others are edited as YAML. */
export function fieldsOf(schema: string): Field[] {
  try {
    const parsed: unknown = JSON.parse(schema)
    return isValues(parsed) ? fieldsWithin(parsed, []).slice(0, maxFields) : []
  } catch {
    return []
  }
}

const valueAt = (values: Values, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, key) => (isValues(at) ? at[key] : undefined), values)

/** The text with one changed value; its comments stay. */
function withValue(text: string, path: readonly string[], value: unknown): string {
  const document = parseDocument(text)
  if (!isMap(document.contents)) document.contents = document.createNode({}) as never
  if (value === undefined) document.deleteIn(path)
  else document.setIn(path, value)
  return isMap(document.contents) && document.contents.items.length === 0 ? '' : document.toString()
}

interface SchemaFormProps {
  chart: InspectedChart
  last: string
  yours: string
  onChange: (text: string) => void
  fields: readonly Field[]
}

/** Changes are written to the user's values. */
export function SchemaForm({ chart, last, yours, onChange, fields }: SchemaFormProps) {
  const own = valuesIn(yours)
  if (!own) return <p className="g-note g-note-bad">{t('helm-ui-yaml-broken')}</p>
  const whole = mergeValues(mergeValues(valuesIn(chart.values) ?? {}, valuesIn(last) ?? {}), own)
  return (
    <div className={styles.fields}>
      {fields.map((field) => (
        <label key={field.path.join('\n')}>
          <span>{field.title}</span>
          <Control
            field={field}
            value={valueAt(whole, field.path)}
            onChange={(value) => onChange(withValue(yours, field.path, value))}
          />
          {field.help !== '' && <small className="g-faint">{field.help}</small>}
        </label>
      ))}
    </div>
  )
}

function Control({ field, value, onChange }: { field: Field; value: unknown; onChange: (value: unknown) => void }) {
  switch (field.type) {
    case 'flag':
      return <Switch aria-label={field.title} checked={value === true} onChange={onChange} />
    case 'number':
      return (
        <InputNumber
          aria-label={field.title}
          value={typeof value === 'number' ? value : null}
          onChange={(given) => onChange(given ?? undefined)}
        />
      )
    case 'choice':
      return (
        <Select
          aria-label={field.title}
          value={typeof value === 'string' ? value : null}
          options={field.choices.map((choice) => ({ value: choice, label: choice }))}
          onChange={onChange}
        />
      )
    case 'text':
      return (
        <Input
          aria-label={field.title}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.target.value)}
        />
      )
  }
}
