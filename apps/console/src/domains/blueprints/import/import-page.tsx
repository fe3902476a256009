import { type GetRef, Input, Select } from 'antd'
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import type { z } from 'zod'
import { imports, type ImportNote, type ImportPlan } from '@gantry/contract/blueprints/imports'
import { StackName } from '@gantry/contract/stacks/spec'
import { uuid } from '@gantry/contract/ids'
import { call } from '../../../api/call.ts'
import { holdDraft } from '../../../api/draft.ts'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { wordsOf } from '../../../api/notices.ts'
import { Problem } from '../../../ui/feedback/problem.tsx'
import { FileDrop } from '../../../ui/form/file-drop.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { to, useGo, useTeamId } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { ProductSelect } from '../../products/public.tsx'
import { ShareFields, useClusters } from '../../stacks/public.tsx'
import { Plan } from '../release/plan.tsx'
import { Send } from '../release/send.tsx'
import styles from './import.module.css'

type TextAreaRef = GetRef<typeof Input.TextArea>

const needs = imports.create

/** The target of the services: an existing or a new stack. */
const target = imports.create.body.omit({ text: true, leaveOut: true }).extend({ stackName: StackName, envId: uuid })

type Target = z.input<typeof target>
/** A request for a plan, and its result. */
interface Planned {
  target: Target
  text: string
  leaveOut: readonly string[]
  plan: ImportPlan
}

/** Imports Kubernetes objects or a Compose file as services of a stack, after a preview. */
export function ImportPage() {
  const teamId = useTeamId()
  const go = useGo()
  const [{ stack, env }] = useUrlState({ stack: '', env: '' })
  const clusters = useClusters(teamId)
  const only = env === '' ? (clusters.data?.length === 1 ? clusters.data[0]?.uuid : undefined) : env
  const [text, setText] = useState('')
  const [planned, setPlanned] = useState<Planned>()
  const [typed, setTyped] = useState<string>()
  const area = useRef<TextAreaRef>(null)
  const create = useWrite(imports.create, { quiet: true, done: 'create-success' })
  useEffect(() => (text === '' ? undefined : holdDraft()), [text])
  const requestOf = ({ stackName, envId, ...body }: Target, leaveOut: readonly string[]) => ({
    params: { teamId, envId, stackName },
    body: { ...body, text, leaveOut: [...leaveOut] },
  })
  const ask = async (wanted: Target, leaveOut: readonly string[]) => {
    const plan = await call(imports.check, requestOf(wanted, leaveOut))
    setTyped(JSON.stringify(wanted))
    setPlanned({ target: wanted, text, leaveOut, plan })
  }
  const isStale = planned !== undefined && (planned.text !== text || typed !== JSON.stringify(planned.target))
  return (
    <Page
      narrow
      title={t('imports-ui-title')}
      about={t('imports-ui-about')}
      crumbs={[
        { label: t('route-app-list'), to: to('app-list') },
        ...(stack === '' ? [] : [{ label: stack, to: to('app-list', {}, { keyword: stack }) }]),
      ]}
    >
      <TextOf text={text} onText={setText} area={area} />
      <Form
        key={only ?? 'many'}
        schema={target}
        initial={{
          quota: { cpu: null, memory: null },
          ...(stack === '' ? {} : { stackName: stack }),
          ...(only === undefined ? {} : { envId: only }),
        }}
        submit={t('imports-ui-check')}
        needs={needs}
        disabled={text.trim() === '' && t('imports-text-required')}
        whole
        onChange={(values) => setTyped(JSON.stringify(values))}
        onCancel={() => go(to('app-list', {}, stack === '' ? {} : { keyword: stack }))}
        onSubmit={(values) => ask({ ...values, ...(stack === '' ? {} : { stackName: stack, envId: env }) }, [])}
      >
        {stack === '' && (
          <>
            <Field name="stackName" label={t('blueprints-ui-stack')} help={t('imports-ui-stack-help')}>
              <Input maxLength={30} spellCheck={false} autoComplete="off" />
            </Field>
            <Field name="envId" label={t('blueprints-ui-cluster')}>
              <Select
                className="g-select"
                placeholder={t('ui-choose-one')}
                loading={clusters.isFetching}
                options={(clusters.data ?? []).map(({ uuid: value, name }) => ({ value, label: name }))}
              />
            </Field>
            <Field name="productId" label={t('stacks-ui-product')}>
              <ProductSelect />
            </Field>
            <ShareFields under="quota" />
          </>
        )}
      </Form>
      {planned && (
        <Result
          planned={planned}
          isStale={isStale}
          area={area}
          onLeave={(leaveOut) => ask(planned.target, leaveOut)}
          onImport={async () => {
            const made = await create.mutateAsync({
              named: planned.target.stackName,
              ...requestOf(planned.target, planned.leaveOut),
            })
            go(to('app-list', {}, { keyword: made.name }))
          }}
        />
      )}
    </Page>
  )
}

const largest = 500_000

interface TextProps {
  text: string
  onText: (text: string) => void
  area: RefObject<TextAreaRef | null>
}

/** The text, pasted or from a file. */
function TextOf({ text, onText, area }: TextProps) {
  const id = useId()
  const [problem, setProblem] = useState('')
  const take = async (file: File) => {
    if (!/\.ya?ml$/i.test(file.name) || file.size > largest) return setProblem(t('imports-ui-file-wrong'))
    setProblem('')
    return onText(await file.text())
  }
  return (
    <div className={styles.text}>
      <label htmlFor={id}>{t('imports-ui-text')}</label>
      <Input.TextArea
        ref={area}
        id={id}
        className="g-mono"
        rows={14}
        wrap="off"
        spellCheck={false}
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
      <FileDrop
        accept=".yaml,.yml"
        label={t('imports-ui-file')}
        memo={t('imports-ui-file-memo')}
        onFile={(file) => void take(file)}
      />
      <Problem text={problem} />
    </div>
  )
}

/** Puts the cursor at a place of the text, and scrolls to it. */
function showPlace(field: HTMLTextAreaElement, text: string, { line, column }: ImportNote): void {
  const lines = text.split('\n')
  const at = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1
  field.focus()
  field.setSelectionRange(at, at)
  field.scrollTop = (field.scrollHeight / lines.length) * Math.max(0, line - 4)
}

interface ResultProps {
  planned: Planned
  isStale: boolean
  area: TextProps['area']
  onLeave: (leaveOut: readonly string[]) => Promise<void>
  onImport: () => Promise<unknown>
}

/** The resulting services, and the parts that cannot be imported. */
function Result({ planned: { plan, text, leaveOut }, isStale, area, onLeave, onImport }: ResultProps) {
  const [problem, setProblem] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const count = plan.plan?.made.length ?? 0
  const goTo = (note: ImportNote) => {
    const field = area.current?.resizableTextArea?.textArea
    if (field) showPlace(field, text, note)
  }
  const leave = (name: string, is: boolean) => {
    setProblem('')
    onLeave(is ? [...leaveOut, name] : leaveOut.filter((one) => one !== name)).catch((error: unknown) =>
      setProblem(wordsOf(error)),
    )
  }
  return (
    <section className={styles.result} aria-label={t('imports-ui-preview')}>
      <h2 ref={heading}>
        {t('imports-ui-preview')}
        {plan.format && <small className="g-faint"> · {t(`imports-ui-${plan.format}`)}</small>}
      </h2>
      {plan.wrong.length > 0 && (
        <div role="alert">
          <h3 className={styles.bad}>{t('imports-ui-wrong', { count: plan.wrong.length })}</h3>
          <Notes notes={plan.wrong} goTo={goTo} />
        </div>
      )}
      {plan.plan && <Plan plan={plan.plan} />}
      {plan.names.length > 1 && (
        <fieldset className={styles.leave}>
          <legend>{t('imports-ui-leave-out')}</legend>
          {plan.names.map((name) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={leaveOut.includes(name)}
                disabled={isStale}
                onChange={(event) => leave(name, event.target.checked)}
              />{' '}
              {name}
            </label>
          ))}
        </fieldset>
      )}
      <Problem text={problem} />
      {plan.notes.length > 0 ? (
        <>
          <h3>{t('imports-ui-notes', { count: plan.notes.length })}</h3>
          <Notes notes={plan.notes} goTo={goTo} />
        </>
      ) : (
        plan.format && <p className="g-faint">{t('imports-ui-whole')}</p>
      )}
      {plan.services.length > 0 && (
        <details>
          <summary>{t('imports-ui-documents')}</summary>
          {plan.services.map(({ name, document }) => (
            <div key={name}>
              <h3>{name}</h3>
              <pre tabIndex={0} className="g-mono">
                {document}
              </pre>
            </div>
          ))}
        </details>
      )}
      {plan.plan && (
        <Send
          label={t('imports-ui-create', { count })}
          needs={needs}
          blocked={isStale ? t('imports-ui-changed') : plan.plan.refusals[0]}
          onClose={() => area.current?.focus()}
          onSend={onImport}
        />
      )}
    </section>
  )
}

/** Notes with their places; choosing one goes to its place. */
const Notes = ({ notes, goTo }: { notes: readonly ImportNote[]; goTo: (note: ImportNote) => void }) => (
  <ul className={styles.notes}>
    {notes.map((note) => (
      <li key={`${note.line}:${note.column}:${note.service}:${note.text}`}>
        <button type="button" onClick={() => goTo(note)}>
          {t('imports-ui-place', { line: note.line, column: note.column })}
        </button>
        <span>
          {note.service !== '' && <b>{note.service} </b>}
          {note.text}
        </span>
      </li>
    ))}
  </ul>
)
