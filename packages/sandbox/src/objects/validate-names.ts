import type { Kind } from './kinds.ts'
import { wrong, type FieldError } from './status.ts'

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const label1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/
export const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
export const qualified = /^(?:[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/
export const labelValue = /^([A-Za-z0-9]([-\w.]*[A-Za-z0-9])?)?$/

export const says = {
  label: `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
  'label-1035': `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
  subdomain: `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
  value: `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
  key: `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
}

export function nameErrors(rule: Kind['nameRule'], name: string, field: string): FieldError[] {
  if (rule === 'path')
    return /^(\.|\.\.)$|[/%]/.test(name)
      ? [wrong(field, name, `may not be '.' or '..' and may not contain '/' or '%'`)]
      : []
  const long = rule === 'subdomain' ? 253 : 63
  const pattern = rule === 'subdomain' ? subdomain : rule === 'label' ? label : label1035
  const errors: FieldError[] = []
  if (!pattern.test(name)) errors.push(wrong(field, name, says[rule]))
  if (name.length > long) errors.push(wrong(field, name, `must be no more than ${long} bytes`))
  return errors
}

export function labelErrors(labels: Record<string, unknown> | undefined, field: string): FieldError[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => {
    const errors: FieldError[] = []
    if (!qualified.test(key)) errors.push(wrong(field, key, says.key))
    if (String(value).length > 63) errors.push(wrong(field, value, 'must be no more than 63 bytes'))
    else if (!labelValue.test(String(value))) errors.push(wrong(field, value, says.value))
    return errors
  })
}
