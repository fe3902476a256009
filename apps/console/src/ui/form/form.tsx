import { Form as Antd } from 'antd'
import { createContext, use, useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { z } from 'zod'
import { CallError } from '../../api/call.ts'
import { holdDraft } from '../../api/draft.ts'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import type { Needs } from '../../api/session.ts'
import { Button } from '../button.tsx'
import { useUnsent } from '../feedback/dialog.tsx'
import { Problem } from '../feedback/problem.tsx'
import { isRequired, problemAt, withoutBlanks, type Path } from './problems.ts'

const Schema = createContext<z.ZodType>(z.unknown())

export interface FormProps<S extends z.ZodType> {
  /** The schema of the endpoint's body: its rules are the fields' rules. */
  schema: S
  initial?: Partial<z.input<S>>
  /** Rejects if the server refuses: problems are shown at their fields, others above the buttons. */
  onSubmit: (values: z.input<S>) => Promise<unknown>
  submit: string
  onCancel?: () => void
  /** Why it cannot be submitted now. */
  disabled?: string | false
  needs?: Needs
  /** Called with the input, for a form with a preview or with hidden fields. */
  onChange?: (values: Partial<z.input<S>>) => void
  /** Also sends values without a field, for a document that has more than the form shows. */
  whole?: boolean
  /** Placed left of the buttons. */
  foot?: ReactNode
  /** A preview of the result, beside the fields if there is room. */
  aside?: { title: string; content: ReactNode }
  children: ReactNode
}

type Values = Record<string, unknown>
const pathOf = (text: string): string[] =>
  text
    .replace(/^(body|query|params)(\.|$)/, '')
    .split('.')
    .filter(Boolean)

/** Whether a change affects a field, or its parent. */
const holds = (changed: Values, name: readonly (string | number)[]): boolean => {
  let at: unknown = changed
  for (const part of name) {
    if (typeof at !== 'object' || at === null || !(part in at)) return false
    at = (at as Values)[part]
  }
  return true
}

/** A form for one endpoint. Its input is a draft: an expired session is renewed in place and no input is lost. */
export function Form<S extends z.ZodType>(p: FormProps<S>) {
  const [form] = Antd.useForm<Values>()
  // Ids of fields contain the form's name, because two forms on a page may have fields of the same name.
  const id = useId()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const release = useRef<() => void>(undefined)
  /** Fields with a problem from the server: no rule here tells when it is fixed. */
  const refused = useRef(new Map<string, (string | number)[]>())
  const setUnsent = useUnsent()
  useEffect(() => () => release.current?.(), [])
  // Others' changes are shown until there is input, so that an edit is always based on what the user saw.
  const began = JSON.stringify(p.initial)
  const rendered = useRef(began)
  useEffect(() => {
    if (rendered.current === began || release.current) return
    rendered.current = began
    form.resetFields()
  }, [form, began])

  const submit = async (values: Values) => {
    setBusy(true)
    setProblem('')
    form.setFields([...refused.current.values()].map((name) => ({ name, errors: [] })))
    refused.current.clear()
    try {
      await p.onSubmit(withoutBlanks(values) as z.input<S>)
      release.current?.()
      release.current = undefined
      setUnsent(false)
    } catch (error) {
      setProblem(showProblems(error))
    } finally {
      setBusy(false)
    }
  }

  /** Shows each problem at its field; returns the texts of problems without a field. */
  const showProblems = (error: unknown): string => {
    const problems = error instanceof CallError ? error.problems : []
    // Deepest first: a row's field before its list, which shows problems of rows without such a field.
    const fields = form
      .getFieldsError()
      .map(({ name }) => name)
      .sort((a, b) => b.length - a.length)
    const homeless: string[] = []
    for (const each of problems) {
      const path = pathOf(each.path)
      // antd distinguishes a row 0 from a field `0`; a path of strings does not.
      const name = fields.find((field) => field.every((part, at) => String(part) === path[at]))
      if (name) {
        form.setFields([{ name, errors: [...form.getFieldError(name), each.text] }])
        refused.current.set(name.join('.'), name)
      } else homeless.push(each.text)
    }
    if (problems.length === 0) return wordsOf(error)
    if (homeless.length < problems.length) document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    return homeless.join(' ')
  }

  /** A shown problem is checked again with every key, not only when the field is left. */
  const lookAgain = (changed: Values) => {
    const wrong = form.getFieldsError().flatMap(({ name, errors }) => (errors.length > 0 ? [name] : []))
    const again = wrong.filter((name) => holds(changed, name) || !refused.current.has(name.join('.')))
    for (const name of again) if (refused.current.delete(name.join('.'))) form.setFields([{ name, errors: [] }])
    if (again.length > 0) form.validateFields(again).catch(() => undefined)
  }

  return (
    <Schema value={p.schema}>
      <Antd
        name={id}
        form={form}
        layout="vertical"
        requiredMark={false}
        className={p.aside ? 'g-form g-form-beside' : 'g-form'}
        scrollToFirstError={{ focus: true }}
        initialValues={p.initial ?? {}}
        onValuesChange={(changed, values) => {
          release.current ??= holdDraft()
          setUnsent(true)
          lookAgain(changed)
          p.onChange?.((p.whole ? form.getFieldsValue(true) : values) as Partial<z.input<S>>)
        }}
        onFinish={(values) => void submit(p.whole ? (form.getFieldsValue(true) as Values) : values)}
      >
        <div className="g-form-fields">{p.children}</div>
        {p.aside && (
          <aside className="g-form-aside" aria-label={p.aside.title}>
            <h2>{p.aside.title}</h2>
            {p.aside.content}
          </aside>
        )}
        <Problem text={problem} />
        <div className="g-form-foot">
          {p.foot}
          <div className="g-row">
            {p.onCancel && <Button onClick={p.onCancel}>{t('ui-cancel')}</Button>}
            <Button
              primary
              submit
              loading={busy}
              disabled={p.disabled ?? false}
              {...(p.needs === undefined ? {} : { needs: p.needs })}
            >
              {p.submit}
            </Button>
          </div>
        </div>
      </Antd>
    </Schema>
  )
}

export interface FieldProps {
  /** The field's path in the schema. */
  name: string | Path
  /** In a Form.List: the list's path. `name` is then relative to it, as the list requires. */
  within?: string | Path
  label: ReactNode
  /** A line below: its purpose, its limits. */
  help?: ReactNode
  /** `checked` for switches and checkboxes. */
  value?: 'checked'
  /** The field has an initial value, so it is not marked as optional. */
  filled?: boolean
  children: ReactNode
}

/** One field; its rules come from the form's schema, and an optional one is marked. */
export function Field({ name, within = [], label, help, value, filled, children }: FieldProps) {
  const schema = use(Schema)
  const path: Path = [within, name].flat()
  const required = isRequired(schema, path)
  return (
    <Antd.Item
      name={[name].flat()}
      label={
        <>
          {/* the space separates the two for screen readers */}
          {label}{' '}
          {!required && !filled && value === undefined && <span className="g-optional">{t('ui-optional')}</span>}
        </>
      }
      extra={help}
      validateTrigger={['onBlur', 'onSubmit']}
      {...(value === undefined ? {} : { valuePropName: value })}
      rules={[
        ({ getFieldsValue }) => ({
          validator: () => {
            const words = problemAt(schema, getFieldsValue(true), path)
            return words === undefined ? Promise.resolve() : Promise.reject(new Error(words))
          },
        }),
      ]}
    >
      {children}
    </Antd.Item>
  )
}
